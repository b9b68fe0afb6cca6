import { WINDOW_NOTICE_SEC } from '@interview-room/contract/limits.ts'
import { witnessesOf } from '@interview-room/contract/live-stream.ts'
import { type Tx, toSafeInteger } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { Guest } from '../../platform/ports/media.ts'
import { recordWebhookEvent } from '../../platform/webhooks/record-event.ts'
import { endWindowRequest } from '../booking/end-window-request.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { nextEntryMoment } from '../room-log/room-clock.ts'
import { admitGuest } from './admit-guest.ts'
import {
  type AdmissionForEntry,
  hasEntryOf,
  insertEntry,
  openAgain,
  shareRoomOfAdmission,
} from './entry-store.ts'
import { participantEntered } from './entry.ts'
import { liveTextRequest } from './live-text-request.ts'
import { maskArrivalsRequest } from './mask-arrivals.job.ts'
import { isUnderTest } from './subject.ts'
import { requestRightsOfArrival } from './update-media-rights.ts'

/** A connection that the provider has in a media room. */
export interface SeenConnection {
  roomId: string
  mediaIdentity: string
  mediaSid: string
  joinedAt: Date
  /** Set for a participant that comes from elsewhere. */
  guest?: Guest | undefined
  /** The time of asking for the provider's list that contains the connection with active media. */
  listedAt?: Date
}

/**
 * opened: a new row and its webhook. known: the connection already has its row, which is reopened if it was closed before
 * the connection was listed; or it gets none because it belongs to a connection test. unwanted: it must be removed, because
 * nobody was admitted under this identity, it joined after the close, the ban or the notice at the end of the window, or
 * the slot was moved before anybody had entered.
 */
export type EntryOutcome = 'opened' | 'known' | 'unwanted'

/**
 * Opens the EntryHistory row of a media connection and notifies the tenant (W1), in one transaction. The notification, the
 * browser's report and the reconciler all call this, and only the first one has an effect.
 */
export async function openEntry(tx: Tx, seen: SeenConnection, now: Date): Promise<EntryOutcome> {
  const judged = await judge(tx, seen, now)
  if (typeof judged === 'string') return judged

  const { roomId, mediaSid, joinedAt } = seen
  const { admission, isKnown } = judged
  if (isKnown) {
    if (await isBack(tx, seen)) await publishArrival(tx, admission)
    return 'known'
  }
  const { admissionId, locked } = admission
  const { seq, enteredAt } = await nextEntryMoment(tx, locked, { joinedAt, now })
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
  const { closesAt } = admission
  if (closesAt !== null) {
    await enqueueAll(tx, [endWindowRequest(roomId, closesAt), maskArrivalsRequest(roomId)])
  }
  if (admission.consentTerms.isTranscribed === true) {
    await enqueueAll(tx, [liveTextRequest(roomId)])
  }
  await publishArrival(tx, admission)
  return 'opened'
}

/** Reopens an entry that was closed too early. A listed person is present, whatever was reported before. */
async function isBack(tx: Tx, { roomId, mediaSid, listedAt }: SeenConnection): Promise<boolean> {
  return listedAt !== undefined && (await openAgain(tx, { roomId, mediaSid, listedAt }))
}

async function publishArrival(
  tx: Tx,
  { role, consentTerms, locked }: AdmissionForEntry,
): Promise<void> {
  // Moderators give no consent and always receive everything, so nobody's rights depend on them.
  if (role !== 'moderator') await requestRightsOfArrival(tx, locked.roomId, consentTerms)
  await publishLiveEvent(tx, locked, { name: 'roster', roles: witnessesOf(role) })
}

/** True if a connection without active media and without an entry is to be removed. */
export async function isUnwanted(tx: Tx, seen: SeenConnection, now: Date): Promise<boolean> {
  return (await judge(tx, seen, now)) === 'unwanted'
}

/** A person who may be inside. `known`: with an entry. */
interface Arrival {
  admission: AdmissionForEntry
  isKnown: boolean
}

/** The admission for which to open an entry, or the reason for opening none. */
async function judge(
  tx: Tx,
  seen: SeenConnection,
  now: Date,
): Promise<Arrival | 'known' | 'unwanted'> {
  const admission = (await shareRoomOfAdmission(tx, seen)) ?? (await admitGuest(tx, seen, now))
  if (admission === undefined) return (await isUnderTest(tx, seen)) ? 'known' : 'unwanted'
  if (!isAllowed(admission, seen)) return 'unwanted'
  const isKnown = await hasEntryOf(tx, seen.roomId, seen.mediaSid)
  const isOut = isKnown
    ? isRemoved(admission)
    : isTooLate(admission, seen.joinedAt, now) || isTooEarly(admission, now)
  return isOut ? 'unwanted' : { admission, isKnown }
}

/** Nobody takes the place of a guest, and a guest nobody else's. */
function isAllowed(
  { guestKind, isKindAllowed }: AdmissionForEntry,
  { guest }: SeenConnection,
): boolean {
  return guestKind === (guest?.kind ?? null) && isKindAllowed
}

function isRemoved({ roomClosedAt, cancelledAt, bannedAt }: AdmissionForEntry): boolean {
  return roomClosedAt !== null || cancelledAt !== null || bannedAt !== null
}

/** A person who joined before the end was inside. The log records that, however late it is reported. */
function isTooLate(
  { roomClosedAt, cancelledAt, bannedAt, closesAt }: AdmissionForEntry,
  joinedAt: Date,
  now: Date,
): boolean {
  // The provider's clock may be ahead.
  const at = joinedAt < now ? joinedAt : now
  const noticeEndsAt = closesAt && new Date(closesAt.getTime() + WINDOW_NOTICE_SEC * 1000)
  const ends = [roomClosedAt, cancelledAt, bannedAt, noticeEndsAt]
  return ends.some((end) => end !== null && at >= end)
}

/**
 * An admitted person can be early only if the slot was moved since. The tenant could move it because nobody had entered.
 */
function isTooEarly({ opensAt }: AdmissionForEntry, now: Date): boolean {
  return opensAt !== null && now < opensAt
}
