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
/** They change what the roster shows. */
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
  /** Of a marker. */
  mark?: Mark | undefined
}

/**
 * Writes an event into the room's log and publishes it to its audience alone. Throws 429
 * RATE_LIMIT_EXCEEDED after 60 events of one person in a minute, answers about consent and others apart.
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
      // Who it is on the simple route, where nobody has a participant.
      identity: mediaIdentity,
      display_name: displayName,
      ...added,
    },
  })
  // Behind its own moment, in which nobody else writes into the room: the count is exact.
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
    // Their other pages, too, where they have a participant.
    ...(mark?.is_private === true &&
      (participantId === null ? { admissionId } : { participantId })),
    payload: event,
  })
  if (OF_HANDS.includes(type)) await publishLiveEvent(tx, locked, { name: 'roster' })
  return event
}

/**
 * What goes into the log with the event. An answer about consent says to what, and which text was
 * read. Throws 400 INVALID_REQUEST for that with any other event.
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

/** Whether it is an answer about consent. */
export function isConsent(type: PostedEventType): boolean {
  return type.startsWith('consent.')
}

/** Whose posts of this type count as one. */
export function rateKeyOf(person: string, type: PostedEventType): string {
  return `${person} ${isConsent(type) ? 'consents' : 'events'}`
}

/** Consent is counted apart: nothing else that a person does may delay its withdrawal. */
async function refuseTooMany(
  tx: Tx,
  { sender, type, at }: { sender: TicketHolder; type: PostedEventType; at: Date },
): Promise<void> {
  const types = POSTED_EVENT_TYPES.filter((each) => isConsent(each) === isConsent(type))
  const { count, first } = await countPostedEvents(tx, { ...sender, types }, at)
  if (count <= POSTED_EVENTS_PER_MINUTE) return
  refuseWhileWaiting(Math.ceil((first.getTime() + MINUTE_MS - at.getTime()) / 1000))
}
