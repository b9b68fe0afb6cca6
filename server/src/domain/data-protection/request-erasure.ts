import type { ErasedCounts, RemainingData } from '@interview-room/contract/data-protection.ts'
import type { Tx } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/named-locks.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { hashSubject } from './data-subject.ts'
import { eraseRequest } from './erase-request.ts'
import { findErasure, insertErasure, lockOpenErasure, reopenBlocked } from './erasure-store.ts'
import { type DataSubject, type Erasure, remainsOf, sortRooms } from './erasure.ts'
import { countTraces, listRoomsOf } from './subject-store.ts'

export { findErasure, listErasures } from './erasure-store.ts'

export interface ErasureOrder extends DataSubject {
  recordings: 'delete' | 'keep'
  /** Public part of the API key, or `operator`. */
  requestedBy: string
}

/**
 * Stores the order to erase a person; a job carries it out. If the person already has an unfinished erasure, returns that
 * one and runs it again immediately. Throws 422 VALIDATION_ERROR if that one treats recordings differently, because some
 * may be deleted already.
 */
export async function requestErasure(
  deps: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  order: ErasureOrder,
): Promise<Erasure> {
  const { tenantId, externalType, externalId } = order
  await lockByName(tx, `erasure:${JSON.stringify([tenantId, externalType, externalId])}`)
  const open = await lockOpenErasure(tx, order)
  if (open === undefined) {
    const id = uuidv7()
    const subject = hashSubject(deps, order)
    await insertErasure(tx, { ...order, id, subject, requestedAt: deps.clock() })
    return begin(tx, id)
  }
  const { id, recordings } = open
  if (recordings !== order.recordings) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'recordings',
      code: 'NOT_ALLOWED',
      message: `must be ${recordings}, as in erasure ${id} of the same person, which is not done`,
    })
  }
  await reopenBlocked(tx, { tenantId, id })
  return begin(tx, id)
}

async function begin(tx: Tx, id: string): Promise<Erasure> {
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

/** The effect that an erasure would have now. */
export async function previewErasure(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  order: DataSubject & { recordings: 'delete' | 'keep' },
): Promise<ErasurePreview> {
  const rooms = await listRoomsOf(deps.db, order)
  const { held, waitsUntil } = sortRooms(rooms, { now: deps.clock(), recordings: order.recordings })
  const free = rooms.filter((room) => !held.includes(room))
  const ids = free.map(({ roomId }) => roomId)
  const { roomEvents, messages, liveTexts, processed, ...traces } = await countTraces(
    deps.db,
    order,
    ids,
  )
  const isKept = order.recordings === 'keep'
  const entered = free.filter(({ connectionTestId }) => connectionTestId === null)
  return {
    subject: hashSubject(deps, order),
    removed: {
      ...traces,
      room_events: roomEvents,
      chat_messages: messages,
      live_texts: liveTexts,
      recordings: isKept ? 0 : traces.recordings,
      processed_recordings: isKept ? 0 : processed,
      clips: isKept ? 0 : traces.clips,
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
