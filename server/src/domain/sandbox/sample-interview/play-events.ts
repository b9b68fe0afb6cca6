import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../platform/db/db.ts'
import { placeMessagesInPast } from '../../chat/age-messages-store.ts'
import { sendTextIn } from '../../chat/send-message.ts'
import { hideHandout, showHandout } from '../../handouts/present-in-room.ts'
import { closeEntry } from '../../people/close-entries.ts'
import { openEntry } from '../../people/open-entry.ts'
import { postRoomEvent } from '../../people/post-room-event.ts'
import type { TicketHolder } from '../../people/ticket.ts'
import { addQuestion } from '../../questions/add-question.ts'
import { changeQuestion } from '../../questions/change-question.ts'
import { answerConsent } from '../../recording/recordings/answer-consent.ts'
import { completeRecording, recordingSteps } from '../../recording/recordings/past-recording.ts'
import type { Span } from '../../recording/recordings/spans.ts'
import { closeInTransaction } from '../../room-end/close-room.ts'
import { type PastMoment, placeEventsInPast } from '../../room-log/age-room-log-store.ts'
import { findPosition } from '../../room-log/read-logs.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import type { Player } from './admit-cast.ts'
import { CLOSED_SEC, EVENTS, type SampleEvent } from './sample-events.ts'
import { placeOf, playerIn, type Sample } from './sample.ts'

interface Step {
  atMs: number
  act: () => Promise<unknown>
}

/** Lets the interview happen in a locked room, from the first entry to the close, each part at its own time in the past. */
export async function playEvents(tx: Tx, room: LockedRoomKey, sample: Sample): Promise<void> {
  const spans = spansOf(sample)
  const steps = [
    ...[...sample.cast.values()].flatMap((player) => stayOf(tx, room, player)),
    ...recordingSteps(tx, room, { id: sample.recordingId, spans }),
    ...eventsOf(tx, room, sample),
    closeOf(tx, room, sample),
  ].toSorted((one, other) => one.atMs - other.atMs)
  const moments: PastMoment[] = []
  for (const { atMs, act } of steps) {
    const after = await findPosition(tx, room.roomId)
    await act()
    moments.push({ after, until: await findPosition(tx, room.roomId), at: new Date(atMs) })
  }
  await complete(tx, room, { ...sample, spans })
  await placeEventsInPast(tx, room.roomId, moments)
  await placeMessagesInPast(tx, room.roomId, moments)
}

function spansOf({ begins, facts }: Pick<Sample, 'begins' | 'facts'>): Span[] {
  const msOf = (sec: number) => begins.getTime() + Math.round(sec * 1000)
  return facts.segments.map(({ fromSec, toSec }) => ({ fromMs: msOf(fromSec), toMs: msOf(toSec) }))
}

/** The entry with its answers about consent, and the leaving. */
function stayOf(tx: Tx, room: LockedRoomKey, { holder, asked, enters, leaves }: Player): Step[] {
  const { roomId } = room
  const connection = { roomId, mediaSid: `PA_sample_${randomUUID()}` }
  const enter = async () => {
    const seen = { ...connection, mediaIdentity: holder.mediaIdentity, joinedAt: enters }
    await openEntry(tx, seen, enters)
    for (const purpose of asked) {
      const event = { event_type: 'consent.given', payload: { purpose } } as const
      await answerConsent(tx, { clock: () => enters, holder, event })
    }
  }
  return [
    { atMs: enters.getTime(), act: enter },
    { atMs: leaves.getTime(), act: () => closeEntry(tx, { ...connection, at: leaves }) },
  ]
}

function eventsOf(tx: Tx, room: LockedRoomKey, sample: Sample): Step[] {
  const { recordingId, cast, facts, handoutId } = sample
  const questionId = randomUUID()
  return EVENTS.map((event) => {
    const offsetSec = placeOf(facts, event)
    const mark = { recording_id: recordingId, offset_sec: offsetSec }
    const by = playerIn(cast, event.by).holder
    const deed = { by, event, mark, handoutId, questionId }
    return { atMs: msAt(sample, offsetSec), act: () => act(tx, room, deed) }
  })
}

interface Deed {
  by: TicketHolder
  event: SampleEvent
  mark: { recording_id: string; offset_sec: number }
  handoutId: string
  questionId: string
}

async function act(
  tx: Tx,
  room: LockedRoomKey,
  { by, event, mark, handoutId, questionId }: Deed,
): Promise<unknown> {
  const post = (event_type: 'hand.raised' | 'hand.lowered') =>
    postRoomEvent(tx, room, { sender: by, event: { event_type } })
  switch (event.do) {
    case 'say': {
      const { visibility, text } = event
      const body = { id: randomUUID(), visibility, content_type: 'text', text } as const
      return sendTextIn(tx, { holder: by, body })
    }
    case 'mark': {
      const { note } = event
      const marker = { event_type: 'marker', payload: { note } } as const
      return postRoomEvent(tx, room, { sender: by, event: marker, mark })
    }
    case 'show':
      return showHandout(tx, { ...room, handoutId })
    case 'hide':
      return hideHandout(tx, { ...room, handoutId })
    case 'raise hand':
      return post('hand.raised')
    case 'lower hand':
      return post('hand.lowered')
    case 'ask':
      return addQuestion(tx, room, { sender: by, question: { id: questionId, text: event.text } })
    case 'note question':
      return changeQuestion(tx, room, { id: questionId, status: event.status, by })
    default:
      throw new RangeError('an unknown deed')
  }
}

/** The time of a place in the file, in milliseconds since 1970. */
function msAt(sample: Pick<Sample, 'begins' | 'facts'>, offsetSec: number): number {
  let restMs = offsetSec * 1000
  for (const { fromMs, toMs } of spansOf(sample)) {
    if (restMs <= toMs - fromMs) return fromMs + restMs
    restMs -= toMs - fromMs
  }
  throw new RangeError('the sample is shorter')
}

function closeOf(tx: Tx, room: LockedRoomKey, { begins, cast }: Sample): Step {
  const at = new Date(begins.getTime() + CLOSED_SEC * 1000)
  const by = playerIn(cast, 'moderator').holder.participantId
  const close = { tenantId: room.tenantId, roomId: room.roomId, reason: null, by }
  return { atMs: at.getTime(), act: () => closeInTransaction(tx, close, () => at) }
}

/** The file, with the activity and the report of everybody who speaks. */
async function complete(
  tx: Tx,
  room: LockedRoomKey,
  { recordingId, facts, cast, files, begins, spans }: Sample & { spans: readonly Span[] },
): Promise<void> {
  const { durationSec } = facts
  const speakers = (['moderator', 'panelist'] as const).map((role) => {
    const { mediaIdentity, participantId, displayName } = playerIn(cast, role).holder
    return { role, mediaIdentity, participantId, displayName }
  })
  const people = speakers.map((person) => ({
    ...person,
    expectedSec: durationSec,
    actualSec: durationSec,
    gaps: [],
  }))
  await completeRecording(tx, room, {
    id: recordingId,
    file: { ...files.interview, durationSec },
    report: { isComplete: true, missingSec: 0, people, segments: spans },
    activities: speakers.map(({ role, mediaIdentity: identity }) => ({
      identity,
      ...facts.activities[role],
    })),
    at: new Date(begins.getTime() + CLOSED_SEC * 1000),
  })
}
