import type { BoardBody, BoardRoom } from '@interview-room/contract/board.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Notice } from '../design/notice.tsx'
import { useLocale } from '../i18n/language.tsx'
import { timeText } from '../i18n/times.ts'
import type { BoardConnection } from './board-connection.ts'
import { BoardHeader } from './board-header.tsx'
import styles from './board-page.module.css'
import { inOrder } from './board-state.ts'
import { useText } from './board-text.ts'
import { EndedPage } from './ended-page.tsx'
import { RoomCard } from './room-card.tsx'

const TICK_MS = 1_000

/** One page for every state of the board. */
export function BoardPage({ board }: { board: BoardConnection }) {
  const state = useSyncExternalStore(board.subscribe, board.getState)
  const text = useText()
  const shown = 'board' in state ? state.board : undefined
  const alarmed = shown?.rooms.filter(({ alarms }) => alarms.length > 0).length ?? 0
  useEffect(() => {
    document.title = alarmed > 0 ? `(${alarmed}) ${text.title}` : text.title
  }, [alarmed, text])

  if (state.phase === 'over') return <EndedPage />
  return (
    <div className={styles.page}>
      <BoardHeader board={shown} alarmed={alarmed} isLive={state.phase === 'live'} />
      <main className={styles.main}>
        {state.phase === 'loading' ? (
          <output className={styles.words}>
            {state.hasFailed ? text.unreachable : text.loading}
          </output>
        ) : (
          <>
            {state.phase === 'cut' && <CutNotice at={state.board.now} />}
            {state.board.has_more && <Notice title={text.hasMore} />}
            <Rooms board={board} body={state.board} clockOffsetMs={state.clockOffsetMs} />
          </>
        )}
      </main>
    </div>
  )
}

function CutNotice({ at }: { at: string }) {
  const text = useText()
  const locale = useLocale()
  return <Notice title={text.cutTitle}>{text.cutBody(timeText(at, locale))}</Notice>
}

interface RoomsProps {
  board: BoardConnection
  body: BoardBody
  clockOffsetMs: number
}

function Rooms({ board, body, clockOffsetMs }: RoomsProps) {
  const text = useText()
  const nowMs = useNow() + clockOffsetMs
  if (body.rooms.length === 0) {
    return (
      <div className={styles.words}>
        <h2>{text.emptyTitle}</h2>
        <p>{text.emptyBody}</p>
      </div>
    )
  }
  return (
    <ul className={styles.rooms} aria-label={text.rooms}>
      {inOrder(body.rooms).map((room: BoardRoom) => (
        <li key={room.id}>
          <RoomCard board={board} room={room} nowMs={nowMs} />
        </li>
      ))}
    </ul>
  )
}

/** The local clock in epoch milliseconds, read every second. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
