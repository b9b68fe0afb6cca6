import { differences, type Invariant, type Told } from './judged.ts'
import { type Player, personId } from './player.ts'

/** Durations are the time between entering and leaving. */
const attendanceAddsUp: Invariant = ({ told }) =>
  [...told.values()].flatMap(({ entries }) =>
    entries
      .filter(({ entered_at: from, left_at: to, duration_sec: sec }) => {
        if (to === null) return sec !== null
        const lasted = (Date.parse(to) - Date.parse(from)) / 1000
        return lasted < 0 || sec === null || Math.abs(sec - lasted) > 1
      })
      .map(({ id }) => `entry ${id}`),
  )

/** Participants are those who entered, each with the right status. */
const participantsAreRight: Invariant = ({ player, model, told }) =>
  model.rooms.flatMap((room) => {
    const wanted = room.participants.map((key) => {
      const [number, role] = key.split(' ')
      const status = room.banned.includes(Number(number)) ? 'banned' : 'active'
      return `${personId(player, Number(number))} ${role} ${status}`
    })
    const { participants } = toldOf(player, told, room.name)
    return differences(
      participants.map(({ external_id: id, role, status }) => `${id} ${role} ${status}`),
      wanted,
    )
  })

function toldOf({ rooms }: Player, told: Map<string, Told>, name: string): Told {
  const found = told.get(rooms.get(name)?.roomId ?? '')
  if (found === undefined) throw new Error(`nothing was read of ${name}`)
  return found
}

/** Every message that was accepted is there once, unless it was purged. */
const messagesAreKept: Invariant = ({ player, model, told }) =>
  model.rooms.flatMap((room) =>
    differences(
      toldOf(player, told, room.name)
        .messages.filter(({ content_type: type }) => type !== 'archive_status')
        .map(({ id }) => id),
      room.messages.map(({ name }) => player.messages.get(name) ?? name),
    ),
  )

/** A list that is read page by page has every item once, in the same order as at once. */
const cursorsReturnEachOnce: Invariant = ({ told }) =>
  [...told.values()].flatMap((each) =>
    Object.entries(each.paged)
      .filter(([list, ids]) => String(ids) !== String(idsOf(each, list)))
      .map(([list, ids]) => `${list}: ${ids.join(' ')}`),
  )

function idsOf(told: Told, list: string): (string | number)[] {
  return (told[list as 'messages' | 'entries' | 'participants' | 'recordings'] ?? []).map(
    ({ id }) => id,
  )
}

/** Rooms and sessions have the status of the model. */
const statusesAreRight: Invariant = ({ player, model, told, facts }) =>
  model.rooms.flatMap((room) => {
    const { status, session } = toldOf(player, told, room.name).room
    const isClosed = room.isClosed || room.isCancelled
    const wanted = room.isCancelled
      ? 'cancelled'
      : isClosed || facts.now > room.endsAtMs + 30 * 60_000
        ? 'closed'
        : facts.now < room.startsAtMs - 30 * 60_000
          ? 'scheduled'
          : 'active'
    const isRight = status === (isClosed ? 'closed' : 'open') && session.status === wanted
    return isRight ? [] : [`${room.name} is ${status} ${session.status}, not ${wanted}`]
  })

/** A slot is where it was booked or moved to, less the time that has passed. */
const slotsAddUp: Invariant = ({ player, model, told }) =>
  model.rooms.flatMap((room) => {
    const { session } = toldOf(player, told, room.name).room
    const offMs = [
      Date.parse(session.starts_at) - room.startsAtMs,
      Date.parse(session.ends_at) - room.endsAtMs,
    ]
    return offMs.every((ms) => Math.abs(ms) < SLACK_MS) ? [] : [`${room.name}: ${offMs.join(' ')}`]
  })

/** Between the model's time of an act and the service's. */
const SLACK_MS = 25_000

/** A manual room has the recordings that its moderators made. */
const recordingsAreCounted: Invariant = ({ player, model, told }) =>
  model.rooms.flatMap((room) => {
    if (room.ended === undefined) return []
    const wanted = room.ended.length + (room.recording === 'none' ? 0 : 1)
    const { recordings } = toldOf(player, told, room.name)
    return recordings.length === wanted ? [] : [`${recordings.length} instead of ${wanted}`]
  })

/** Every object has a row that names it. */
const objectsHaveTheirRows: Invariant = ({ objects }) => objects.unnamed

/** No answer was 500, wrong for a replay, or showed an observer to a respondent. */
const answersWereRight: Invariant = ({ player }) => player.problems

/** Rules about the answers of the API in the end. */
export const OF_ANSWERS = {
  attendanceAddsUp,
  participantsAreRight,
  messagesAreKept,
  cursorsReturnEachOnce,
  statusesAreRight,
  slotsAddUp,
  recordingsAreCounted,
  answersWereRight,
  objectsHaveTheirRows,
} satisfies Record<string, Invariant>
