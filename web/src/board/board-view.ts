import type { BoardRoom } from '@interview-room/contract/board.ts'
import type { TabStorage } from '../live/tab-storage.ts'
import { SEVERITIES, severityOf } from './severity.ts'

/** The choices of the operator. */
export const SHOWS = ['all', 'alarms', ...SEVERITIES, 'running', 'upcoming'] as const
export type Show = (typeof SHOWS)[number]

export interface BoardView {
  show: Show
  search: string
}

export const WHOLE_BOARD: BoardView = { show: 'all', search: '' }

const KEY = 'board-view'

/** The view that was chosen in this tab. */
export function recallView(storage: TabStorage): BoardView {
  try {
    const { show, search } = JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<BoardView>
    return {
      show: SHOWS.find((each) => each === show) ?? WHOLE_BOARD.show,
      search: typeof search === 'string' ? search : WHOLE_BOARD.search,
    }
  } catch {
    return WHOLE_BOARD
  }
}

export function keepView(storage: TabStorage, view: BoardView): void {
  storage.setItem(KEY, JSON.stringify(view))
}

/** The number of rooms behind each choice. */
export function countsOf(rooms: readonly BoardRoom[], nowMs: number): Record<Show, number> {
  const counts = SHOWS.map((show) => [show, rooms.filter((each) => isIn(each, show, nowMs)).length])
  return Object.fromEntries(counts) as Record<Show, number>
}

interface ViewedRooms {
  /** The rooms that match, and every room with a call for help. */
  rooms: BoardRoom[]
  /** The number of rooms that are shown only because of a call for help. */
  unasked: number
}

export function roomsInView(
  rooms: readonly BoardRoom[],
  { show, search }: BoardView,
  nowMs: number,
): ViewedRooms {
  const wanted = plain(search)
  const matching = new Set(
    rooms.filter((room) => isIn(room, show, nowMs) && namesOf(room).includes(wanted)),
  )
  const shown = rooms.filter((room) => matching.has(room) || isIn(room, 'help', nowMs))
  return { rooms: shown, unasked: shown.length - matching.size }
}

function isIn({ session, alarms }: BoardRoom, show: Show, nowMs: number): boolean {
  const [startMs, endMs] = [Date.parse(session.starts_at), Date.parse(session.ends_at)]
  if (show === 'all') return true
  if (show === 'alarms') return alarms.length > 0
  if (show === 'running') return nowMs >= startMs && nowMs < endMs
  if (show === 'upcoming') return nowMs < startMs
  return alarms.some((alarm) => severityOf(alarm) === show)
}

/** Each name on a line of its own, so that no match spans two of them. */
function namesOf({ session, people }: BoardRoom): string {
  const names = [session.name, session.external_id, ...people.map((each) => each.display_name)]
  return plain(names.join('\n'))
}

/** Full-width letters and capitals make no difference. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
