import { RECORDING_ENTERED_FROM } from '../../domain/recording/recordings/recording.ts'
import type { EntryFact, Facts } from './facts.ts'
import { differences, type Ended, type Invariant } from './judged.ts'
import { type Model, ROOMS_MAX } from './model.ts'
import type { Player } from './player.ts'

/** Every event reaches the receiver. */
const noEventIsLost: Invariant = ({ player, facts }) => {
  const taken = new Set(player.inbox.arrivals.filter(({ isTaken }) => isTaken).map(({ id }) => id))
  return facts.events.filter(({ id }) => !taken.has(id)).map(({ id, type }) => `${type} ${id}`)
}

/** A process notices a fault after it has begun, and works with what it read before. */
const NOTICED_MS = 5_000

/** An attempt whose answer takes longer has failed, though the receiver took it. So does a receiver on a busy machine. */
const ATTEMPT_MS = 15_000

/** An event comes twice only when a process was killed or out of reach meanwhile, or was answered too late. */
const noEventIsDoubled: Invariant = ({ player }) => {
  const { troubles } = player.world
  const taken = player.inbox.arrivals.filter(({ isTaken }) => isTaken)
  return taken.flatMap(({ id, type, atMs }, at) => {
    const before = taken.slice(0, at).find((other) => other.id === id)
    if (before === undefined) return []
    const isExcused =
      atMs - before.atMs > ATTEMPT_MS ||
      troubles.some(({ fromMs, toMs }) => fromMs <= atMs && toMs + NOTICED_MS >= before.atMs)
    return isExcused ? [] : [`${type} ${id} after ${atMs - before.atMs} ms`]
  })
}

/** The receiver gets nothing that was not recorded. */
const noEventIsInvented: Invariant = ({ player, facts }) => {
  const known = new Set(facts.events.map(({ id }) => id))
  return player.inbox.arrivals.filter(({ id }) => !known.has(id)).map(({ id }) => id)
}

/** Events of one resource come in their order. */
const streamsKeepTheirOrder: Invariant = ({ player, facts }) => {
  const firsts = new Map<string, number>()
  for (const [at, { id, isTaken }] of player.inbox.arrivals.entries()) {
    if (isTaken && !firsts.has(id)) firsts.set(id, at)
  }
  const lastOf = new Map<string, number>()
  return facts.events.flatMap(({ id, stream }) => {
    const at = firsts.get(id)
    if (at === undefined) return []
    const before = lastOf.get(stream) ?? -1
    lastOf.set(stream, at)
    return at < before ? [`${stream}: ${id}`] : []
  })
}

/** Webhooks are signed and as they are described. */
const webhooksAreRight: Invariant = ({ player }) => player.inbox.wrong

/** Nothing is due to a receiver that works. */
const deliveriesAreDone: Invariant = ({ facts }) =>
  facts.deliveries.filter(({ state }) => state !== 'succeeded').map(({ eventId }) => eventId)

const dataOf = ({ facts }: Ended, type: string) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- the data of any type
  facts.events.filter((event) => event.type === type).map(({ data }) => data as any)

/** Every entry has one W1 that names it. */
const entriesAreAnnounced: Invariant = (ended) => {
  const named = dataOf(ended, 'participant.entered').map((data) => data.entry_history_id as number)
  return differences(
    named,
    ended.facts.entries.map(({ id }) => id),
  )
}

/** W3 of a recording is one chain along its lifecycle, up to its status. */
const recordingChainsAreWhole: Invariant = (ended) => {
  const problems: string[] = []
  const last = new Map<string, string>()
  for (const { recording_id: id, status, previous_status: from } of dataOf(
    ended,
    'recording.status_changed',
  )) {
    if ((last.get(id) ?? null) !== from) problems.push(`${id}: ${status} after ${from}`)
    const allowed: readonly string[] =
      RECORDING_ENTERED_FROM[status as keyof typeof RECORDING_ENTERED_FROM]
    if (from !== null && !allowed.includes(from)) problems.push(`${id}: ${from} to ${status}`)
    last.set(id, status)
  }
  for (const { id, status } of ended.facts.recordings) {
    if (last.get(id) !== status) problems.push(`${id} is ${status}, told ${last.get(id)}`)
  }
  return problems
}

/** Each result that ended has been announced once. */
const resultsAreAnnounced: Invariant = (ended) => {
  const told = [
    ...dataOf(ended, 'transcription.completed').map((data) => data.transcription_id as string),
    ...dataOf(ended, 'processed_recording.status_changed').map(
      (data) => data.processed_recording_id as string,
    ),
    ...dataOf(ended, 'clip.status_changed').map((data) => data.clip_id as string),
  ]
  return [
    ...told.filter((id, at) => told.indexOf(id) !== at).map((id) => `${id} twice`),
    ...ended.facts.made
      .filter(({ id }) => !told.includes(id))
      .map(({ id, kind }) => `${kind} ${id}`),
  ]
}

/** Everything that was made has succeeded. */
const resultsAreGood: Invariant = ({ facts }) =>
  facts.made
    .filter(({ status }) => !['available', 'done'].includes(status))
    .map(({ kind, id, status }) => `${kind} ${id} is ${status}`)

/** Each connection has one entry at most, and each visit of the model has its own. */
const attendanceIsComplete: Invariant = ({ player, model, facts }) => {
  const inModel = model.rooms.flatMap(({ entries }) => entries).length
  const made = new Set(player.connections)
  const foreign = facts.entries.filter(({ sid }) => !made.has(sid)).map(({ sid }) => sid)
  return inModel === facts.entries.length
    ? foreign
    : [`${facts.entries.length} entries instead of ${inModel}`, ...foreign]
}

/** A person is in one place of a room at a time: entering and leaving alternate. */
const visitsDoNotOverlap: Invariant = ({ facts }) =>
  facts.entries.flatMap((entry) =>
    facts.entries
      .filter((other) => other.id > entry.id && isSamePlace(entry, other) && overlap(entry, other))
      .map((other) => `entries ${entry.id} and ${other.id}`),
  )

const isSamePlace = (one: EntryFact, other: EntryFact) =>
  one.roomId === other.roomId && one.personId === other.personId

/** A leave is noted within half a minute, also when its notification is lost and a worker is killed. */
const REPORTED_MS = 30_000
const overlap = (one: EntryFact, other: EntryFact) =>
  (one.leftMs ?? Infinity) - REPORTED_MS > other.enteredMs

/** Nobody is in a closed room. */
const closedRoomsAreEmpty: Invariant = ({ facts, player, model }) => {
  const closed = namesOf(player, model, ({ isClosed, isCancelled }) => isClosed || isCancelled)
  return [
    ...facts.entries.filter(({ roomId, leftMs }) => closed.has(roomId) && leftMs === null),
    ...facts.connections.filter(({ roomId }) => closed.has(roomId)),
  ].map(({ sid }) => sid)
}

function namesOf(
  { rooms }: Player,
  model: Model,
  is: (room: Model['rooms'][number]) => boolean,
): Set<string> {
  return new Set(model.rooms.filter(is).map(({ name }) => rooms.get(name)?.roomId ?? ''))
}

/** A banned person is nowhere in the room. */
const bansHold: Invariant = ({ facts }) =>
  facts.banned.flatMap(({ roomId, personId: who }) =>
    [...facts.entries.filter(({ leftMs }) => leftMs === null), ...facts.connections]
      .filter((each) => each.roomId === roomId && each.personId === who)
      .map(({ sid }) => sid),
  )

const MODELLED = ['room.closed', 'participant.banned', 'consent.', 'hand.', 'chat.purged']

/** The log has each fact of the model. Acts without a key may be there again if they were repeated. */
const logsAreComplete: Invariant = ({ player, model, facts }) =>
  model.rooms.flatMap((room) => {
    const roomId = player.rooms.get(room.name)?.roomId
    const written = facts.roomEvents
      .filter((each) => each.roomId === roomId)
      .map(({ type }) => type)
      .filter((type) => MODELLED.some((start) => type.startsWith(start)))
    const isRepeatable = (type: string) => /^(?:consent|hand)\./.test(type) && player.repeated > 0
    return differences(written, room.log).filter(
      (difference) => !(difference.startsWith('+') && isRepeatable(difference.slice(2))),
    )
  })

/** Numbers in a room are given once, and none is ahead of the room's clock. */
const numbersAreUnique: Invariant = ({ facts }) =>
  facts.numbers
    .filter(({ clock, seqs }) => new Set(seqs).size < seqs.length || Math.max(0, ...seqs) > clock)
    .map(({ roomId }) => roomId)

/** The tenant has no more open rooms than it may. */
const capacityHolds: Invariant = ({ facts: { openRooms } }) =>
  openRooms > ROOMS_MAX ? [`${openRooms} rooms`] : []

/** A room is recorded once at a time. */
const oneRecordingAtATime: Invariant = ({ facts: { intervals } }) =>
  intervals.flatMap((one, at) =>
    intervals
      .slice(at + 1)
      .filter(
        (other) => other.roomId === one.roomId && (one.endedMs ?? Infinity) > other.beganMs + 1,
      )
      .map(({ recordingId }) => recordingId),
  )

/** A recording has stopped at the latest this long after a respondent refused it. */
const STOPPED_MS = 20_000

/** Nothing is recorded while a respondent inside does not agree to it. */
const nothingAgainstAWord: Invariant = ({ facts }) =>
  facts.intervals.flatMap(({ roomId, beganMs, endedMs, recordingId }) =>
    facts.entries
      .filter((entry) => entry.roomId === roomId && entry.role === 'panelist')
      .filter(({ participantId, enteredMs, leftMs }) => {
        const refusedMs = refusalBefore(facts, participantId, beganMs)
        if (refusedMs === undefined) return false
        const sinceMs = Math.max(enteredMs, beganMs, refusedMs)
        return Math.min(leftMs ?? Infinity, endedMs ?? Infinity) > sinceMs + STOPPED_MS
      })
      .map(() => recordingId),
  )

/** When the person refused to be recorded, if that was the last word before this time. */
function refusalBefore(
  { roomEvents }: Facts,
  participantId: string | null,
  beforeMs: number,
): number | undefined {
  const last = roomEvents.findLast(
    ({ type, payload, atMs }) =>
      type.startsWith('consent.') && payload?.identity === participantId && atMs < beforeMs,
  )
  return last === undefined || last.type === 'consent.given' ? undefined : last.atMs
}

/** Recordings of closed rooms have become available. */
const recordingsEnd: Invariant = ({ facts }) =>
  facts.recordings
    .filter(({ status }) => status !== 'available')
    .map(({ id, status, reason }) => `${id} is ${status}: ${reason}`)

/** No recorder writes any more. */
const recordersEnd: Invariant = ({ facts }) =>
  facts.egresses
    .filter(({ status }) => ['starting', 'active'].includes(status))
    .map(({ roomId }) => roomId)

/** Everything that is available has its object, of the size that is told. */
const rowsHaveTheirObjects: Invariant = ({ player, facts }) =>
  facts.recordings
    .filter(({ status }) => status === 'available')
    .map(({ id, key, bytes }) => ({
      id,
      bytes,
      stored: player.world.s3.objects.get(key ?? '')?.body.length,
    }))
    .filter(({ bytes, stored }) => bytes !== stored)
    .map(({ id, bytes, stored }) => `${id} has ${stored} bytes instead of ${bytes}`)

/** All notifications are applied, and all jobs are done. */
const nothingWaits: Invariant = ({ facts: { waiting } }) => [
  ...(waiting.notifications > 0 ? [`${waiting.notifications} notifications`] : []),
  ...waiting.jobs,
]

/** Rules that compare rows, objects and webhooks with each other and with the model. */
export const OF_ROWS = {
  noEventIsLost,
  noEventIsDoubled,
  noEventIsInvented,
  streamsKeepTheirOrder,
  webhooksAreRight,
  deliveriesAreDone,
  entriesAreAnnounced,
  recordingChainsAreWhole,
  resultsAreAnnounced,
  resultsAreGood,
  attendanceIsComplete,
  visitsDoNotOverlap,
  closedRoomsAreEmpty,
  bansHold,
  logsAreComplete,
  numbersAreUnique,
  capacityHolds,
  oneRecordingAtATime,
  nothingAgainstAWord,
  recordingsEnd,
  recordersEnd,
  rowsHaveTheirObjects,
  nothingWaits,
} satisfies Record<string, Invariant>
