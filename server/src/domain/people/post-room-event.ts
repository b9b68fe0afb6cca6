import {
  POSTED_EVENT_AUDIENCE,
  POSTED_EVENT_TYPES,
  POSTED_EVENTS_PER_MINUTE,
  type PostedEventType,
  type RoomEventRequest,
} from '@interview-room/contract/live-moderation.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import type { Mark } from './marker.ts'
import { countPostedEvents } from './posted-event-store.ts'
import { refuseWhileWaiting } from './rate-limit-error.ts'
import { refuseRole } from './require-holder.ts'
import type { TicketHolder } from './ticket.ts'

const MINUTE_MS = 60_000
/** Events that change the roster. */
const OF_HANDS: readonly PostedEventType[] = ['hand.raised', 'hand.lowered']

/** Throws 422 NOT_ALLOWED for an event that this role may not post. */
export function refuseSender(role: Role, type: PostedEventType): void {
  const senders: readonly Role[] = POSTED_EVENT_AUDIENCE[type].senders
  if (!senders.includes(role)) {
    throw refuseRole('event_type', (each) => senders.includes(each))
  }
}

export interface NewEvent {
  sender: TicketHolder
  event: RoomEventRequest
  /** Only for a marker. */
  mark?: Mark | undefined
}

/**
 * Writes an event into the room's log and publishes it only to its audience. Throws 429 RATE_LIMIT_EXCEEDED after 60 events
 * of one person in a minute. Answers about consent are counted separately.
 */
export async function postRoomEvent(
  tx: Tx,
  locked: LockedRoomKey,
  { sender, event: { event_type: type, payload: posted }, mark }: NewEvent,
): Promise<PostedEvent> {
  const added = { ...addedBy(type, posted ?? {}), ...mark }
  const { participantId, admissionId, mediaIdentity, displayName } = sender
  const { at } = await appendRoomEvent(tx, {
    ...locked,
    eventType: type,
    payload: {
      participant_id: participantId,
      // Identifies a visitor of the simple route, who has no participant.
      identity: mediaIdentity,
      display_name: displayName,
      ...added,
    },
  })
  // Count only after taking the room's next moment: no other event is written concurrently, so the count is exact.
  await refuseTooMany(tx, { sender, type, at })

  const event: PostedEvent = {
    type,
    participant_id: participantId,
    identity: mediaIdentity,
    display_name: displayName,
    payload: Object.keys(added).length === 0 ? null : added,
    created_at: at.toISOString(),
  }
  await publishLiveEvent(tx, locked, {
    name: 'fact',
    roles: POSTED_EVENT_AUDIENCE[type].receivers,
    // Sent to all pages of a participant, or to the page of a visitor.
    ...(mark?.is_private === true &&
      (participantId === null ? { admissionId } : { participantId })),
    payload: event,
  })
  if (OF_HANDS.includes(type)) await publishLiveEvent(tx, locked, { name: 'roster' })
  return event
}

/**
 * The fields that the event adds to the log. An answer about consent names its purpose and the text that was read. Throws
 * 400 INVALID_REQUEST for these fields in any other event.
 */
function addedBy(
  type: PostedEventType,
  { note, purpose, version, language }: NonNullable<RoomEventRequest['payload']>,
): Record<string, string | null> {
  const noted = note === undefined ? {} : { note }
  const consent = { purpose, version, language }
  if (!isConsent(type)) {
    const [field] = Object.entries(consent).find(([, value]) => value !== undefined) ?? []
    if (field !== undefined) throw refuseOfConsent(`payload.${field}`)
    return noted
  }
  return {
    ...noted,
    purpose: purpose ?? 'recording',
    version: version ?? null,
    language: language ?? null,
  }
}

function refuseOfConsent(field: string): ServiceError {
  return refuseField('INVALID_REQUEST', {
    field,
    code: 'NOT_ALLOWED',
    message: 'is allowed only with an event_type about consent',
  })
}

/** True for an answer about consent. */
export function isConsent(type: PostedEventType): boolean {
  return type.startsWith('consent.')
}

/** The key under which posts of this person and type are counted. */
export function rateKeyOf(person: string, type: PostedEventType): string {
  return `${person} ${isConsent(type) ? 'consents' : 'events'}`
}

/** Consent is counted separately, so that no other activity delays its withdrawal. */
async function refuseTooMany(
  tx: Tx,
  { sender, type, at }: { sender: TicketHolder; type: PostedEventType; at: Date },
): Promise<void> {
  const types = POSTED_EVENT_TYPES.filter((each) => isConsent(each) === isConsent(type))
  const { count, first } = await countPostedEvents(tx, { ...sender, types }, at)
  if (count <= POSTED_EVENTS_PER_MINUTE) return
  refuseWhileWaiting(Math.ceil((first.getTime() + MINUTE_MS - at.getTime()) / 1000))
}
