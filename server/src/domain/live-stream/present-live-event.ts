import type { ChatMessageBody } from '@interview-room/contract/chat.ts'
import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { type Person, witnessesOf } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readMessages } from '../chat/read-messages.ts'
import {
  findPresentation,
  presentationFor,
  type RoomPresentation,
} from '../handouts/find-presentation.ts'
import { QUALITY_READERS } from '../people/report-connection-quality.ts'
import { findShownRecording } from '../recording/recordings/read-recordings.ts'
import type { LiveEvent, PublishedEvent } from '../room-log/live-event.ts'
import { listPeople } from './people-store.ts'

/** What presenting the events of one delivery takes, read once for all readers of the room. */
export interface Reading {
  people: readonly Person[]
  /** Read only for an event about it. */
  presentation: RoomPresentation | undefined
  recording: ShownRecording
  messages: ReadonlyMap<string, ChatMessageBody>
}

type ReadingDeps = Pick<Deps, 'db' | 'storage' | 'config' | 'clock'>

export async function readFor(
  deps: ReadingDeps,
  roomId: string,
  events: readonly LiveEvent[],
): Promise<Reading> {
  const names = new Set(events.map(({ name }) => name))
  const messageIds = events.flatMap(({ messageId }) => messageId ?? [])
  const [people, presentation, recording, messages] = await Promise.all([
    names.has('roster') ? listPeople(deps.db, roomId) : [],
    names.has('presentation') ? findPresentation(deps, deps.db, roomId) : undefined,
    names.has('recording') ? findShownRecording(deps.db, roomId) : null,
    messageIds.length > 0 ? readMessages(deps, { roomId, ids: messageIds }) : [],
  ])
  return {
    people,
    presentation,
    recording,
    messages: new Map(messages.map((each) => [each.id, each])),
  }
}

/** The event as this role may see it; undefined when nothing of it is left. */
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
    // Purged in the meantime: the purge is an event of its own.
    const message = reading.messages.get(event.messageId ?? '')
    return message && { name, data: message }
  }
  // The stored payload of these events is published as it is.
  return { name, data: event.payload ?? {} } as PublishedEvent
}

export function rosterFor(role: Role, people: readonly Person[]): Person[] {
  const seen = people.filter((person) => witnessesOf(person.role).includes(role))
  // Connection tests and connection quality have the same readers.
  if (QUALITY_READERS.includes(role)) return seen
  return seen.map(({ last_test: _test, line: _line, ...person }) => person)
}
