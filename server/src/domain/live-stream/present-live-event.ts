import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { type Person, witnessesOf } from '@interview-room/contract/live-stream.ts'
import type { CaptionBody } from '@interview-room/contract/live-text.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { listWithheld } from '../chat/observed-messages.ts'
import { readMessages } from '../chat/read-messages.ts'
import {
  findPresentation,
  presentationFor,
  type RoomPresentation,
} from '../handouts/find-presentation.ts'
import { QUALITY_READERS } from '../people/report-connection-quality.ts'
import { readCaptions } from '../recording/live-text/read-live-texts.ts'
import { findShownRecording } from '../recording/recordings/read-recordings.ts'
import type { LiveEvent, PublishedEvent } from '../room-log/live-event.ts'
import { listPeople } from './people-store.ts'

/** The data needed to present the events of one delivery, read once for all readers of the room. */
export interface Reading {
  people: readonly Person[]
  /** Read only for an event about the presentation. */
  presentation: RoomPresentation | undefined
  recording: ShownRecording
  messages: ReadonlyMap<string, ChatMessageBody>
  /** Final texts by id. */
  captions: ReadonlyMap<string, CaptionBody>
  /** Ids of messages withheld from observers. */
  withheld: ReadonlySet<string>
}

type ReadingDeps = Pick<Deps, 'db' | 'storage' | 'config' | 'clock'>

export async function readFor(
  deps: ReadingDeps,
  roomId: string,
  events: readonly LiveEvent[],
): Promise<Reading> {
  const names = new Set(events.map(({ name }) => name))
  const messageIds = events.flatMap(({ messageId }) => messageId ?? [])
  const textIds = events.flatMap((event) => liveTextIdOf(event) ?? [])
  const [people, presentation, recording, messages, withheld, captions] = await Promise.all([
    names.has('roster') ? listPeople(deps.db, roomId) : [],
    names.has('presentation') ? findPresentation(deps, deps.db, roomId) : undefined,
    names.has('recording') ? findShownRecording(deps.db, roomId, deps.clock()) : null,
    messageIds.length > 0 ? readMessages(deps, { roomId, ids: messageIds }) : [],
    messageIds.length > 0 ? listWithheld(deps.db, { roomId, ids: messageIds }) : [],
    readCaptions(deps.db, { roomId, ids: textIds }),
  ])
  return {
    people,
    presentation,
    recording,
    messages: new Map(messages.map((each) => [each.id, each])),
    withheld: new Set(withheld),
    captions,
  }
}

/** The id of the text that a caption is about. */
function liveTextIdOf({ name, payload }: LiveEvent): string | undefined {
  const id = payload?.['live_text_id']
  return name === 'caption' && typeof id === 'string' ? id : undefined
}

/** The event as this role may see it. Returns undefined if the role may see none of it. */
export function presentLiveEvent(
  event: LiveEvent,
  reading: Reading,
  role: Role,
): PublishedEvent | undefined {
  const { name } = event
  if (name === 'roster') return { name, data: { roster: rosterFor(role, reading.people) } }
  if (name === 'presentation' && reading.presentation !== undefined) {
    return { name, data: { presentation: presentationFor(role, reading.presentation) } }
  }
  if (name === 'recording') return { name, data: { recording: reading.recording } }
  if (name === 'message') {
    // Clients read a withheld message again once everybody present has agreed to be observed.
    if (!CAPABILITIES[role].isVisible && reading.withheld.has(event.messageId ?? ''))
      return undefined
    // The message was purged meanwhile. The purge is an event of its own.
    const message = reading.messages.get(event.messageId ?? '')
    return message && { name, data: message }
  }
  if (name === 'caption') {
    // The text was erased meanwhile, or is too old.
    const caption = reading.captions.get(liveTextIdOf(event) ?? '')
    return caption && { name, data: caption }
  }
  // The stored payload of these events is published as it is.
  return { name, data: event.payload ?? {} } as PublishedEvent
}

export function rosterFor(role: Role, people: readonly Person[]): Person[] {
  const seen = people.filter((person) => witnessesOf(person.role).includes(role))
  // Panelists do not see the answers of others.
  if (role === 'panelist')
    return seen.map(({ consents: _consents, ...person }) => withoutQuality(person))
  // Connection tests and connection quality have the same readers.
  if (QUALITY_READERS.includes(role)) return seen
  return seen.map((person) => withoutQuality(person))
}

function withoutQuality(seen: Person): Person {
  const { last_test: _test, line: _line, is_microphone_silent: _silent, ...person } = seen
  return person
}
