import type { ErasedCounts, RemainingData } from '@interview-room/contract/data-protection.ts'
import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { hashSubject } from './data-subject.ts'
import { eraseRequest } from './erase-request.ts'
import { findErasure, insertErasure } from './erasure-store.ts'
import { type DataSubject, type Erasure, remainsOf, sortRooms } from './erasure.ts'
import { countTraces, listRoomsOf } from './subject-store.ts'

export { findErasure, listErasures } from './erasure-store.ts'

export interface ErasureOrder extends DataSubject {
  recordings: 'delete' | 'keep'
  /** Public part of the API key, or `operator`. */
  requestedBy: string
}

/** Stores that a person is to be erased. A job does it. */
export async function requestErasure(
  deps: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  order: ErasureOrder,
): Promise<Erasure> {
  const id = uuidv7()
  await insertErasure(tx, {
    ...order,
    id,
    subject: hashSubject(deps, order),
    requestedAt: deps.clock(),
  })
  await enqueue(tx, eraseRequest(id))
  const erasure = await findErasure(tx, id)
  if (erasure === undefined) throw new Error('an erasure was not stored')
  return erasure
}

export interface ErasurePreview {
  subject: string
  removed: ErasedCounts
  remains: RemainingData[]
  waitsUntil: Date | undefined
}

/** What an erasure would do now. */
export async function previewErasure(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  order: DataSubject & { recordings: 'delete' | 'keep' },
): Promise<ErasurePreview> {
  const rooms = await listRoomsOf(deps.db, order)
  const { held, waitsUntil } = sortRooms(rooms, deps.clock())
  const free = rooms.filter((room) => !held.includes(room))
  const ids = free.map(({ roomId }) => roomId)
  const { roomEvents, messages, processed, ...traces } = await countTraces(deps.db, order, ids)
  const isKept = order.recordings === 'keep'
  const entered = free.filter(({ connectionTestId }) => connectionTestId === null)
  return {
    subject: hashSubject(deps, order),
    removed: {
      ...traces,
      room_events: roomEvents,
      chat_messages: messages,
      recordings: isKept ? 0 : traces.recordings,
      processed_recordings: isKept ? 0 : processed,
      transcriptions: isKept ? 0 : traces.transcriptions,
      connection_tests: free.length - entered.length,
    },
    remains: remainsOf(
      held,
      isKept && traces.recordings > 0 ? entered.map(({ roomId }) => roomId) : [],
    ),
    waitsUntil,
  }
}
