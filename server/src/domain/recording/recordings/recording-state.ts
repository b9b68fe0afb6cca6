import { type Query, together } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { findOpenConsents, type OpenConsents } from '../../people/find-consent.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import {
  findLastRecording,
  findRecordedRoom,
  findRunning,
  type LastRecording,
  listRecordedPeople,
  type RecordedRoom,
  type RunningRow,
} from './running-store.ts'
import { listSegments } from './segment-store.ts'
import type { Segment, SegmentPerson } from './segment.ts'

/** The current state of a room and its recording. */
export interface RecordingState {
  room: RecordedRoom
  /** The recording that is running or about to start. */
  running: RunningRow | undefined
  /** The newest ended recording; undefined while one is running. */
  last: LastRecording | undefined
  /** The running recording's segments, oldest first. */
  segments: readonly Segment[]
  consents: OpenConsents
}

/**
 * Reads everything that the reconciler decides on from the database, except the published tracks. Returns undefined while
 * the room is only an intention.
 */
export async function readRecordingState(
  query: Query,
  { roomId }: Pick<RoomKey, 'roomId'>,
  now: Date,
): Promise<RecordingState | undefined> {
  const [room, running, consents] = await together([
    findRecordedRoom(query, roomId),
    findRunning(query, roomId),
    findOpenConsents(query, roomId),
  ])
  if (room === undefined) return undefined
  const last = running === undefined ? await findLastRecording(query, roomId, now) : undefined
  const segments = running === undefined ? [] : await listSegments(query, running.id)
  return { room, running, last, segments, consents }
}

/** People who could be recorded. `publishers` have a published track. */
export interface Recordable {
  all: SegmentPerson[]
  publishers: SegmentPerson[]
}

/** Moderators and panelists in the media room now. Throws `MediaError`. */
export async function findRecordable(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  roomId: string,
): Promise<Recordable> {
  const people = ((await media.listConnections(roomId)) ?? []).filter(
    ({ isPerson, isActive }) => isPerson && isActive,
  )
  const identities = people.map(({ identity }) => identity)
  const all = await listRecordedPeople(db, { roomId, identities })
  const publishing = new Set(people.flatMap((each) => (each.isPublishing ? each.identity : [])))
  const publishers = all.filter(({ mediaIdentity }) => publishing.has(mediaIdentity))
  return { all, publishers }
}
