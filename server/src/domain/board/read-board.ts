import { BOARD_AHEAD_SEC, BOARD_ROOMS_MAX, type BoardRoom } from '@interview-room/contract/board.ts'
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

/** The rooms of a tenant whose window is open or soon will be, in one statement. */
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
    limit: BOARD_ROOMS_MAX + 1,
    now,
  })
  const recordings = rows.flatMap(({ recording }) => recording ?? [])
  const estimates = await readEstimates(db, recordings, now)
  return {
    now,
    rooms: rows
      .slice(0, BOARD_ROOMS_MAX)
      .map((row) => presentBoardRoom(config, row, { now, estimates })),
    hasMore: rows.length > BOARD_ROOMS_MAX,
  }
}

function later(now: Date, sec: number): Date {
  return new Date(now.getTime() + sec * 1000)
}
