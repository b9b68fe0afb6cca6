import { inTransaction, sqlStateOf } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { closeEntry, closeOpenEntries } from '../people/close-entries.ts'
import { openEntry } from '../people/open-entry.ts'
import { recordScreen } from '../people/record-screen.ts'
import {
  applyNotifiedEgress,
  applyNotifiedRecorder,
  trackHasChanged,
} from '../recording/recordings/provider-reports.ts'
import { followRecordingRequest } from '../recording/recordings/recording-requests.ts'
import { type Notification, type NotifiedConnection, readNotification } from './notification.ts'
import { isRoomReleased, listUnapplied, markApplied, type StoredNotification } from './store.ts'

const KIND = 'apply-notifications'
const BATCH = 100

/** One job per media room, so that its notifications are applied one after the other. */
export function applyNotificationsRequest(mediaRoom: string): JobRequest {
  return { kind: KIND, key: mediaRoom }
}

type ApplyDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

export function applyNotificationsJob(deps: ApplyDeps): Job {
  const { db, clock } = deps
  return {
    kind: KIND,
    async run({ key: mediaRoom, signal }) {
      const stored = await listUnapplied(db, { mediaRoom, limit: BATCH })
      for (const notification of stored) {
        if (signal.aborted) return { outcome: 'again', at: clock() }
        await applyOrSkip(deps, notification)
        // Applying a notification twice is harmless, so a crash in between is too.
        await markApplied(db, notification.id)
      }
      return stored.length === BATCH ? { outcome: 'again', at: clock() } : { outcome: 'done' }
    },
  }
}

/** Skips a notification that no retry could apply, because later ones wait for it. The reconciler repairs the rest. */
async function applyOrSkip(deps: ApplyDeps, stored: StoredNotification): Promise<void> {
  try {
    await apply(deps, stored)
  } catch (error) {
    if (!isOfValues(error)) throw error
    deps.log.error({ err: error, notification: stored.id }, 'notification skipped')
  }
}

/** SQLSTATE prefixes of a value that a column cannot hold: wrong form or range, missing, or excluded by a check. */
const VALUE_FAILURES = ['22', '23502', '23514']

/** True if the notification's own values caused the failure, so every retry would fail, too. */
function isOfValues(error: unknown): boolean {
  const state = sqlStateOf(error)
  if (state === undefined) return error instanceof RangeError
  return VALUE_FAILURES.some((prefix) => state.startsWith(prefix))
}

async function apply(deps: ApplyDeps, { body, receivedAt }: StoredNotification): Promise<void> {
  const notification = readNotification(body)
  switch (notification.event) {
    case 'room_started':
      return refuseReleasedRoom(deps, notification.roomId)
    case 'room_finished':
      return inTransaction(deps.db, (tx) =>
        closeOpenEntries(tx, { roomId: notification.roomId, at: receivedAt }),
      )
    case 'participant_joined':
      return applyJoined(deps, notification.roomId, notification.connection)
    case 'participant_left':
      await applyLeft(deps, { ...notification, at: receivedAt })
      return enqueue(deps.db, followRecordingRequest(notification.roomId))
    case 'tracks_changed':
      await applyTrack(deps, { ...notification, at: receivedAt })
      return enqueue(deps.db, followRecordingRequest(notification.roomId))
    case 'egress_changed':
      return applyNotifiedEgress(deps, notification)
    case 'other':
      return
  }
}

/** A join token must not recreate a closed media room. */
async function refuseReleasedRoom({ db, media }: ApplyDeps, roomId: string): Promise<void> {
  if ((await isRoomReleased(db, roomId)) === true) await media.deleteRoom(roomId)
}

async function applyJoined(
  deps: ApplyDeps,
  roomId: string,
  { identity, sid, joinedAt, isPerson, guest }: NotifiedConnection,
): Promise<void> {
  if (!isPerson) {
    const at = deps.clock()
    return applyNotifiedRecorder(deps, { roomId, egressId: identity, at }, 'there')
  }
  const outcome = await inTransaction(deps.db, (tx) =>
    openEntry(
      tx,
      { roomId, mediaIdentity: identity, mediaSid: sid, joinedAt, guest },
      deps.clock(),
    ),
  )
  if (outcome !== 'unwanted') return
  const isReleased = await isRoomReleased(deps.db, roomId)
  if (isReleased === true) await deps.media.deleteRoom(roomId)
  if (isReleased === false) await deps.media.removeConnection(roomId, identity)
}

type TracksChanged = Extract<Notification, { event: 'tracks_changed' }>

async function applyTrack(
  { db }: ApplyDeps,
  { roomId, track, at }: TracksChanged & { at: Date },
): Promise<void> {
  if (track === undefined) return
  const { sharedBy, ...change } = track
  await trackHasChanged({ db }, { roomId, ...change, at })
  if (sharedBy === undefined) return
  await recordScreen({ db }, { roomId, identity: sharedBy, isShared: change.isPublished })
}

/** The join may be reported after the leave, or never: the payload carries what is needed. */
async function applyLeft(
  deps: ApplyDeps,
  { roomId, connection, at }: { roomId: string; connection: NotifiedConnection; at: Date },
): Promise<void> {
  const { db, clock } = deps
  const { identity, sid, joinedAt, isPerson, guest } = connection
  if (!isPerson) {
    return applyNotifiedRecorder(deps, { roomId, egressId: identity, at }, 'gone')
  }
  await inTransaction(db, async (tx) => {
    if (joinedAt.getTime() > 0) {
      await openEntry(
        tx,
        { roomId, mediaIdentity: identity, mediaSid: sid, joinedAt, guest },
        clock(),
      )
    }
    await closeEntry(tx, { roomId, mediaSid: sid, at })
  })
}
