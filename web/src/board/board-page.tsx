import type { BoardBody, BoardRoom } from '@interview-room/contract/board.ts'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Notice } from '../design/notice.tsx'
import type { BoardDictionary } from '../i18n/board-ja.ts'
import { useLocale } from '../i18n/language.tsx'
import { timeText } from '../i18n/times.ts'
import type { BoardConnection } from './board-connection.ts'
import { BoardHeader } from './board-header.tsx'
import styles from './board-page.module.css'
import { type BoardState, inOrder } from './board-state.ts'
import { useText } from './board-text.ts'
import { EndedPage } from './ended-page.tsx'
import { RoomCard } from './room-card.tsx'
import { useBell } from './use-bell.ts'

const TICK_MS = 1_000
/** Longer than a restart of the service interrupts a board. A shorter interruption needs no attention. */
const CUT_LASTS_MS = 20_000

/** One page for every state of the board. */
export function BoardPage({ board }: { board: BoardConnection }) {
  const state = useSyncExternalStore(board.subscribe, board.getState)
  const text = useText()
  const shown = 'board' in state ? state.board : undefined
  const alarmed = shown?.rooms.filter(({ alarms }) => alarms.length > 0).length ?? 0
  const { phase } = state
  const bell = useBell()
  const isDeaf = useLasting(phase === 'cut', CUT_LASTS_MS)
  useEffect(() => {
    if (phase !== 'over') document.title = titleOf(text, phase, alarmed)
  }, [text, phase, alarmed])
  const ring = useEffectEvent(() => bell.ring())
  useEffect(() => {
    if (phase === 'over') ring()
  }, [phase])

  if (state.phase === 'over') return <EndedPage />
  return (
    <div className={styles.page}>
      <BoardHeader
        board={shown}
        alarmed={alarmed}
        isLive={phase === 'live'}
        isDeaf={isDeaf}
        bell={bell}
      />
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

/** The title in the tab of a board in the background. */
function titleOf(text: BoardDictionary, phase: BoardState['phase'], alarmed: number): string {
  if (phase === 'cut') return `${text.cutTitle} · ${text.title}`
  return alarmed > 0 ? `(${alarmed}) ${text.title}` : text.title
}

/** True once `isSo` has been true for this many milliseconds. */
function useLasting(isSo: boolean, ms: number): boolean {
  const [isLasting, setIsLasting] = useState(false)
  useEffect(() => {
    if (!isSo) return undefined
    const timer = setTimeout(() => setIsLasting(true), ms)
    return () => {
      clearTimeout(timer)
      setIsLasting(false)
    }
  }, [isSo, ms])
  return isLasting
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

/** The monotonic clock of this page in milliseconds, updated every second. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
