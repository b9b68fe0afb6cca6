import type { BoardBody } from '@interview-room/contract/board.ts'
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { SkipLink } from '../design/skip-link.tsx'
import type { BoardDictionary } from '../i18n/board-ja.ts'
import { useLocale } from '../i18n/language.tsx'
import { timeText } from '../i18n/times.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import type { BoardConnection } from './board-connection.ts'
import { BoardFilters } from './board-filters.tsx'
import { BoardHeader } from './board-header.tsx'
import styles from './board-page.module.css'
import type { BoardState } from './board-state.ts'
import { useText } from './board-text.ts'
import {
  type BoardView,
  countsOf,
  keepView,
  recallView,
  roomsInView,
  WHOLE_BOARD,
} from './board-view.ts'
import { EndedPage } from './ended-page.tsx'
import { RoomList } from './room-list.tsx'
import { inOrder, severityOfRoom } from './severity.ts'
import { useBell } from './use-bell.ts'
import { useMinutes } from './use-minutes.ts'

const MINUTE_MS = 60_000
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
      <SkipLink />
      <BoardHeader
        board={shown}
        alarmed={alarmed}
        hasHelpCall={shown?.rooms.some((room) => severityOfRoom(room) === 'help') ?? false}
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
            <Rooms board={board} body={state.board} />
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
}

function Rooms({ board, body }: RoomsProps) {
  const text = useText()
  const [view, setView] = useKeptView()
  const nowMs = useMinutes(board, 0) * MINUTE_MS
  const inTurn = useMemo(() => inOrder(body.rooms), [body.rooms])
  const { rooms, unasked } = useMemo(() => roomsInView(inTurn, view, nowMs), [inTurn, view, nowMs])
  const counts = useMemo(() => countsOf(body.rooms, nowMs), [body.rooms, nowMs])
  const isWhole = view.show === WHOLE_BOARD.show && view.search.trim() === ''
  if (body.rooms.length === 0) {
    return (
      <div className={styles.words}>
        <h2>{text.emptyTitle}</h2>
        <p>{text.emptyBody}</p>
      </div>
    )
  }
  return (
    <>
      <BoardFilters view={view} counts={counts} onChange={setView} />
      <output className={isWhole ? 'visually-hidden' : styles.found}>
        {!isWhole && <span>{text.found(rooms.length, body.rooms.length)}</span>}
        {unasked > 0 && <span>{text.alwaysHelp}</span>}
      </output>
      {rooms.length > 0 ? (
        <RoomList board={board} rooms={rooms} />
      ) : (
        <div className={styles.words}>
          <h2>{text.noMatch}</h2>
          <Button onPress={() => setView(WHOLE_BOARD)}>{text.showAll}</Button>
        </div>
      )}
    </>
  )
}

/** The view that is remembered for this tab. */
function useKeptView(): [BoardView, (view: BoardView) => void] {
  const [storage] = useState(() => openTabStorage())
  const [view, setView] = useState(() => recallView(storage))
  return [
    view,
    (next) => {
      keepView(storage, next)
      setView(next)
    },
  ]
}
