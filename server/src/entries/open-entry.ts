import { witnessesOf } from '@interview-room/contract/live-stream.ts'
import { isUnderTest } from '../connection-tests/subject.ts'
import { type Tx, toSafeInteger } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { recordWebhookEvent } from '../webhooks/record-event.ts'
import { participantEntered } from './entry.ts'
import {
  type AdmissionForEntry,
  hasEntryOf,
  insertEntry,
  nextEntryMoment,
  shareRoomOfAdmission,
} from './store.ts'

/** Somebody whom the provider has in a media room. */
export interface SeenConnection {
  roomId: string
  mediaIdentity: string
  mediaSid: string
  joinedAt: Date
}

/**
 * opened: a new row, and its webhook. known: the connection has its row, or gets none because it
 * belongs to a connection test. unwanted: nobody was admitted under this identity, or joined after
 * the close or the ban; to be put out.
 */
export type EntryOutcome = 'opened' | 'known' | 'unwanted'

/**
 * Opens the EntryHistory row of a media connection and tells the tenant (W1), in one transaction.
 * The notification, the browser's report and the reconciler all come here; one of them wins.
 */
export async function openEntry(tx: Tx, seen: SeenConnection, now: Date): Promise<EntryOutcome> {
  const admission = await shareRoomOfAdmission(tx, seen)
  if (admission === undefined) return (await isUnderTest(tx, seen)) ? 'known' : 'unwanted'
  if (await hasEntryOf(tx, seen.roomId, seen.mediaSid)) {
    return isPutOut(admission) ? 'unwanted' : 'known'
  }
  if (isTooLate(admission, seen.joinedAt)) return 'unwanted'

  const { roomId, mediaSid } = seen
  const { seq, enteredAt } = await nextEntryMoment(tx, { ...seen, now })
  const { admissionId } = admission
  const id = await insertEntry(tx, { roomId, admissionId, mediaSid, seq, enteredAt })
  if (id === undefined) return 'known'

  const entry = { ...admission, id: toSafeInteger(id), roomId, enteredAt }
  await recordWebhookEvent(tx, {
    tenantId: admission.tenantId,
    type: 'participant.entered',
    streamKey: `participant:${seen.mediaIdentity}`,
    dedupeKey: `entry:${id}`,
    occurredAt: enteredAt,
    data: participantEntered(entry, admission),
  })
  await tellRoom(tx, roomId, { name: 'roster', roles: witnessesOf(admission.role) })
  return 'opened'
}

function isPutOut({ roomClosedAt, cancelledAt, bannedAt }: AdmissionForEntry): boolean {
  return roomClosedAt !== null || cancelledAt !== null || bannedAt !== null
}

/** Whoever joined before the close was inside, and the log says so, however late we learn of it. */
function isTooLate(
  { roomClosedAt, cancelledAt, bannedAt }: AdmissionForEntry,
  joinedAt: Date,
): boolean {
  return [roomClosedAt, cancelledAt, bannedAt].some((end) => end !== null && joinedAt >= end)
}
