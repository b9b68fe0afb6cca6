import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { MediaConnection } from '../media/media.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { noteRecorderGone, noteRecorderSeen } from './segment-store.ts'

/** A recorder is in the media room under the id of its egress. */
export interface RecorderNews {
  roomId: string
  egressId: string
  at: Date
}

/** The provider told that a recorder came, or is there. One that is nobody's changes nothing. */
export async function recorderIsThere(
  { db }: Pick<Deps, 'db'>,
  { egressId, at }: RecorderNews,
): Promise<void> {
  await noteRecorderSeen(db, { egressId, at })
}

/** The provider told that a recorder left: the room's job looks whether its egress ends with it. */
export async function recorderHasLeft(
  { db }: Pick<Deps, 'db'>,
  { roomId, egressId, at }: RecorderNews,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isNews = await noteRecorderGone(tx, { egressId, at, mustBeSeen: false })
    if (isNews) await enqueue(tx, followRecordingRequest(roomId))
  })
}

/**
 * The same by the provider's list. A recorder that was never seen in it may be one that joins no media
 * room.
 */
export async function compareRecorders(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id: roomId, egressIds }: { id: string; egressIds: readonly string[] },
  connections: readonly Pick<MediaConnection, 'identity'>[],
): Promise<void> {
  for (const egressId of egressIds) {
    const at = clock()
    if (connections.some(({ identity }) => identity === egressId)) {
      await noteRecorderSeen(db, { egressId, at })
      continue
    }
    await inTransaction(db, async (tx) => {
      const isNews = await noteRecorderGone(tx, { egressId, at, mustBeSeen: true })
      if (isNews) await enqueue(tx, followRecordingRequest(roomId))
    })
  }
}
