import {
  ALARM_CODES,
  BOARD_AHEAD_SEC,
  BOARD_ROOMS_MAX,
  type BoardRoom,
} from '@interview-room/contract/board.ts'
import { SLOT_MAX_SEC, WINDOW_MARGIN_SEC } from '@interview-room/contract/limits.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readEstimates } from '../recording/recordings/read-recordings.ts'
import { presentBoardRoom } from './present.ts'
import { listBoardRooms } from './store.ts'

/** The content of a board at one moment. */
export interface Board {
  now: Date
  rooms: BoardRoom[]
  hasMore: boolean
}

/** The rooms of a tenant whose window is open or soon will be, in one statement. The limit is applied after the alarms are known. */
export async function readBoard(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  tenantId: string,
): Promise<Board> {
  const now = clock()
  const rows = await listBoardRooms(db, {
    tenantId,
    startsAfter: later(now, -SLOT_MAX_SEC - WINDOW_MARGIN_SEC),
    startsUntil: later(now, BOARD_AHEAD_SEC + WINDOW_MARGIN_SEC),
    endsAfter: later(now, -WINDOW_MARGIN_SEC),
    now,
  })
  const recordings = rows.flatMap(({ recording }) => recording ?? [])
  const estimates = await readEstimates(db, recordings, now)
  const rooms = rows.map((row) => presentBoardRoom(config, row, { now, estimates }))
  return { now, rooms: withinLimit(rooms), hasMore: rooms.length > BOARD_ROOMS_MAX }
}

/** Leaves out the rooms that are least urgent, and of those the ones that start last. */
function withinLimit(rooms: BoardRoom[]): BoardRoom[] {
  if (rooms.length <= BOARD_ROOMS_MAX) return rooms
  const byUrgency = rooms.toSorted((one, other) => urgencyOf(one) - urgencyOf(other))
  const sent = new Set(byUrgency.slice(0, BOARD_ROOMS_MAX))
  return rooms.filter((room) => sent.has(room))
}

/** The place of the most urgent alarm among all codes. Rooms without an alarm come last. */
function urgencyOf({ alarms: [first] }: BoardRoom): number {
  return first === undefined ? ALARM_CODES.length : ALARM_CODES.indexOf(first.code)
}

function later(now: Date, sec: number): Date {
  return new Date(now.getTime() + sec * 1000)
}
