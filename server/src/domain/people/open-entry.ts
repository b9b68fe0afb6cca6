import { witnessesOf } from '@interview-room/contract/live-stream.ts'
import { type Tx, toSafeInteger } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { recordWebhookEvent } from '../../platform/webhooks/record-event.ts'
import { endWindowRequest } from '../booking/end-window-request.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { nextEntryMoment } from '../room-log/room-clock.ts'
import {
  type AdmissionForEntry,
  hasEntryOf,
  insertEntry,
  shareRoomOfAdmission,
} from './entry-store.ts'
import { participantEntered } from './entry.ts'
import { isUnderTest } from './subject.ts'
import { requestMediaRights } from './update-media-rights.ts'

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
 * the close or the ban; to be removed.
 */
export type EntryOutcome = 'opened' | 'known' | 'unwanted'

/**
 * Opens the EntryHistory row of a media connection and notifies the tenant (W1), in one transaction.
 * The notification, the browser's report and the reconciler all come here; one of them wins.
 */
export async function openEntry(tx: Tx, seen: SeenConnection, now: Date): Promise<EntryOutcome> {
  const judged = await judge(tx, seen)
  if (typeof judged === 'string') return judged

  const { roomId, mediaSid, joinedAt } = seen
  const { admissionId, locked } = judged
  const { seq, enteredAt } = await nextEntryMoment(tx, locked, { joinedAt, now })
  const id = await insertEntry(tx, { roomId, admissionId, mediaSid, seq, enteredAt })
  if (id === undefined) return 'known'

  const entry = { ...judged, id: toSafeInteger(id), roomId, enteredAt }
  await recordWebhookEvent(tx, {
    tenantId: judged.tenantId,
    type: 'participant.entered',
    streamKey: `participant:${seen.mediaIdentity}`,
    dedupeKey: `entry:${id}`,
    occurredAt: enteredAt,
    data: participantEntered(entry, judged),
  })
  const { closesAt } = judged
  if (closesAt !== null) await enqueue(tx, endWindowRequest(roomId, closesAt))
  // Nothing depends on those who are asked nothing and always receive everything.
  if (judged.role !== 'moderator') await requestMediaRights(tx, roomId, judged.consentTerms)
  await publishLiveEvent(tx, locked, { name: 'roster', roles: witnessesOf(judged.role) })
  return 'opened'
}

/** Whether somebody whose media is not up, and who is not inside yet, is to be removed. */
export async function isUnwanted(tx: Tx, seen: SeenConnection): Promise<boolean> {
  return (await judge(tx, seen)) === 'unwanted'
}

/** The admission by which an entry is to be opened, or why none is. */
async function judge(
  tx: Tx,
  seen: SeenConnection,
): Promise<AdmissionForEntry | 'known' | 'unwanted'> {
  const admission = await shareRoomOfAdmission(tx, seen)
  if (admission === undefined) return (await isUnderTest(tx, seen)) ? 'known' : 'unwanted'
  if (await hasEntryOf(tx, seen.roomId, seen.mediaSid)) {
    return isRemoved(admission) ? 'unwanted' : 'known'
  }
  return isTooLate(admission, seen.joinedAt) ? 'unwanted' : admission
}

function isRemoved({ roomClosedAt, cancelledAt, bannedAt }: AdmissionForEntry): boolean {
  return roomClosedAt !== null || cancelledAt !== null || bannedAt !== null
}

/** A person who joined before the close was inside, and the log records that, however late we learn of it. */
function isTooLate(
  { roomClosedAt, cancelledAt, bannedAt }: AdmissionForEntry,
  joinedAt: Date,
): boolean {
  return [roomClosedAt, cancelledAt, bannedAt].some((end) => end !== null && joinedAt >= end)
}
