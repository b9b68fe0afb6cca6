import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Role, Visibility } from '@interview-room/contract/vocabulary.ts'
import { MAY_SEND, RECEIVE } from '../live-chat.ts'
import { isWanted, make, record, remove } from './recording-model.ts'
import {
  type Expected,
  MARGIN_MS,
  MIN_MS,
  NOT_ALLOWED,
  NOT_FOUND,
  RELEASED,
  type RoomModel,
  WRONG_TIME,
  endRecording,
  everybodyOut,
  isOver,
  isRefused,
  isReleased,
  leave,
  noteOccupation,
  out,
  presentOnes,
  presentPanelists,
  refusalInside,
  refusalOfEntry,
  visitOf,
} from './room-model.ts'
import { type Act, minutesOf, type Slot } from './steps.ts'

/** Rooms that a tenant of a history may have open. */
export const ROOMS_MAX = 2

export interface Model {
  rooms: RoomModel[]
}

/** The place of an act, decided before it: a twin may happen at the same moment. */
export interface Scene {
  act: Act
  /** Name of what the act makes. */
  name: string
  room: string | undefined
  /** Name of the other room whose reference is taken again. */
  twin?: string | undefined
  /** The person had a participant before. */
  isKnown: boolean
}

/** Undefined for an act that has no place: no room was booked, or nobody has a ticket. */
export function sceneOf({ rooms }: Model, given: Act, name: string): Scene | undefined {
  if (given.do === 'book') {
    const twin = given.twinOf === null ? undefined : rooms[given.twinOf % rooms.length]?.name
    return { act: given, name, room: undefined, twin, isKnown: false }
  }
  if (given.do === 'pass') return { act: given, name, room: undefined, isKnown: false }
  const room = rooms[given.room % rooms.length]
  if (room === undefined) return undefined
  if (given.do === 'make' || given.do === 'remove') {
    if (room.recording !== 'none' || !room.ended?.length) return undefined
  }
  if (given.do === 'enter' && isDecidedByTime(room, given.person)) return undefined
  const act = withVisitor(room, given)
  const isKnown = 'person' in act && room.visits[act.person] !== undefined
  if ('person' in act && act.do !== 'enter' && act.do !== 'ban' && !isKnown) return undefined
  return { act, name, room: room.name, isKnown }
}

/** The report that comes first decides if everybody has left when the only person enters again. */
function isDecidedByTime(room: RoomModel, person: number): boolean {
  const isAlone = presentOnes(room).length === 1 && room.visits[person]?.isInside === true
  return isAlone && room.archive === 'always' && room.isSuppressed
}

/** The act of somebody who can do it, in place of the n-th person, as long as there is anybody. */
function withVisitor({ visits }: RoomModel, act: Act): Act {
  if (!('person' in act) || act.do === 'enter' || act.do === 'ban') return act
  const all = Object.entries(visits).filter(([, visit]) => act.do !== 'leave' || visit.isInside)
  const moderators = all.filter(([, { role }]) => role === 'moderator')
  // Others are refused, which seldom needs a look.
  const able = act.do === 'record' && act.person > 0 && moderators.length > 0 ? moderators : all
  const [person] = able[act.person % able.length] ?? []
  return { ...act, person: person === undefined ? NOBODY : Number(person) }
}

const NOBODY = -1

/** Changes the model as the act must change the service at this time, and returns the answer that it must give. */
export function apply(model: Model, scene: Scene, nowMs: number): Expected {
  const expected = change(model, scene, nowMs)
  for (const room of model.rooms) {
    if (room.recording === 'none' && isWanted(room, nowMs)) room.recording = 'started'
  }
  return expected
}

function change(model: Model, scene: Scene, nowMs: number): Expected {
  const { act, name } = scene
  if (act.do === 'book') return book(model, scene, nowMs)
  if (act.do === 'pass') return pass(model, secondsOf(model, act.minutes), nowMs)
  const room = roomOf(model, scene.room)
  switch (act.do) {
    case 'move':
      return move(room, act.slot, nowMs)
    case 'enter':
      return enter(room, act, nowMs)
    case 'answer':
      return answer(room, act, nowMs)
    case 'leave':
      leave(room, act.person, nowMs)
      return { status: 200 }
    case 'say':
      return say(room, { ...act, name }, nowMs)
    case 'read':
      return refusalInside(room, act.person, nowMs) ?? { status: 200 }
    case 'hand':
      return hand(room, act, nowMs)
    case 'record':
      return record(room, act, nowMs)
    case 'ban':
      return scene.isKnown ? ban(room, act.person, nowMs) : NOT_FOUND
    case 'close':
      return close(room, nowMs)
    case 'close inside':
      return closeInside(room, act.person, nowMs)
    case 'cancel':
      return cancel(room)
    case 'purge':
      return purge(room, act.visibility)
    case 'make':
      return make(room, act.what)
    case 'remove':
      break
  }
  return remove(room, act.what)
}

export function roomOf({ rooms }: Model, name: string | undefined): RoomModel {
  const room = rooms.find((each) => each.name === name)
  if (room === undefined) throw new Error(`the model has no room ${name}`)
  return room
}

function book({ rooms }: Model, { act, name, twin }: Scene, nowMs: number): Expected {
  if (act.do !== 'book') throw new Error('books nothing')
  if (!isPossible(act.slot)) return WRONG_TIME
  if (twin !== undefined) return { status: 409, code: 'DUPLICATE_EXTERNAL_REF' }
  const open = rooms.filter((room) => !isReleased(room) && room.endsAtMs + MARGIN_MS > nowMs)
  if (open.length >= ROOMS_MAX) return NOT_ALLOWED
  const [start, end] = minutesOf(act.slot)
  rooms.push({
    name,
    archive: act.archive,
    startsAtMs: nowMs + start * MIN_MS,
    endsAtMs: nowMs + end * MIN_MS,
    isClosed: false,
    isCancelled: false,
    visits: {},
    participants: [],
    banned: [],
    consents: {},
    entries: [],
    messages: [],
    log: [],
    recording: 'none',
    ended: act.archive === 'manual' ? [] : undefined,
    isSuppressed: false,
    emptySinceMs: undefined,
  })
  // The same for both orders of two bookings.
  rooms.sort((one, other) => (one.name < other.name ? -1 : 1))
  return { status: 201 }
}

const isPossible = (slot: Slot) => !['backwards', 'past', 'endless'].includes(slot)

function move(room: RoomModel, slot: Slot, nowMs: number): Expected {
  if (isReleased(room)) return RELEASED
  if (room.entries.length > 0) return { status: 409, code: 'SESSION_ALREADY_STARTED' }
  if (!isPossible(slot)) return WRONG_TIME
  const [start, end] = minutesOf(slot)
  room.startsAtMs = nowMs + start * MIN_MS
  room.endsAtMs = nowMs + end * MIN_MS
  return { status: 200 }
}

/** A recording gets as long as the time that passes, so little passes meanwhile. */
export function secondsOf({ rooms }: Model, minutes: number): number {
  return rooms.some(({ recording }) => recording !== 'none') ? 61 : minutes * 60
}

function pass({ rooms }: Model, seconds: number, nowMs: number): Expected {
  for (const room of rooms) {
    if (room.isCancelled) continue
    room.startsAtMs -= seconds * 1000
    room.endsAtMs -= seconds * 1000
    if (isOver(room, nowMs)) for (const number of Object.keys(room.visits)) out(room, +number)
  }
  return { status: 200 }
}

type Entering = Extract<Act, { do: 'enter' }>

function enter(room: RoomModel, { person, role, consent }: Entering, nowMs: number): Expected {
  const refusal = refusalOfEntry(room, person, nowMs)
  if (refusal !== undefined) return refusal
  out(room, person)
  const key = `${person} ${role}`
  if (!room.participants.includes(key)) room.participants.push(key)
  const isAsked = role === 'panelist' && room.consents[person] === undefined
  if (isAsked && consent !== null) {
    room.consents[person] = consent
    room.log.push(`consent.${consent}`)
  }
  room.visits[person] = { role, isInside: true }
  room.entries.push({ person, role, isOpen: true })
  noteOccupation(room, nowMs)
  followConsent(room)
  return { status: 201 }
}

function answer(
  room: RoomModel,
  { person, consent }: Extract<Act, { do: 'answer' }>,
  nowMs: number,
): Expected {
  const visit = room.visits[person]
  if (visit?.role !== 'panelist') return refusalInside(room, person, nowMs) ?? NOT_ALLOWED
  const refusal = refusalInside(room, person, nowMs)
  if (refusal !== undefined) return refusal
  room.consents[person] = consent
  room.log.push(`consent.${consent}`)
  // Whoever declines outside of a manual room is taken to be on the way in.
  if (consent !== 'given' && room.archive === 'manual') endRecording(room)
  followConsent(room)
  return { status: 201 }
}

/** A person present who does not agree ends the recording. */
function followConsent(room: RoomModel): void {
  if (presentPanelists(room).some((person) => isRefused(room, person))) endRecording(room)
}

function say(
  room: RoomModel,
  { person, visibility, name }: { person: number; visibility: Visibility; name: string },
  nowMs: number,
): Expected {
  const refusal = refusalInside(room, person, nowMs)
  if (refusal !== undefined) return refusal
  const { role } = visitOf(room, person)
  if (!MAY_SEND[visibility].includes(role)) return NOT_ALLOWED
  if (!takesPart(room, person)) return NOT_ALLOWED
  room.messages.push({ name, visibility, person })
  return { status: 201 }
}

/** In a room that is always recorded, a person who does not agree does not take part. */
function takesPart(room: RoomModel, person: number): boolean {
  const { role } = visitOf(room, person)
  return !(role === 'panelist' && room.archive === 'always' && isRefused(room, person))
}

/** Names of the messages that this role receives. */
export function heardBy(room: RoomModel, role: Role): string[] {
  return room.messages
    .filter(({ visibility }) => RECEIVE[visibility].includes(role))
    .map(({ name }) => name)
}

function hand(
  room: RoomModel,
  { person, type }: Extract<Act, { do: 'hand' }>,
  nowMs: number,
): Expected {
  if (visitOf(room, person).role !== 'panelist')
    return refusalInside(room, person, nowMs) ?? NOT_ALLOWED
  const refusal = refusalInside(room, person, nowMs)
  if (refusal !== undefined) return refusal
  if (!takesPart(room, person)) return NOT_ALLOWED
  room.log.push(type)
  return { status: 201 }
}

function ban(room: RoomModel, person: number, nowMs: number): Expected {
  if (!room.banned.includes(person)) {
    room.banned.push(person)
    const roles = room.participants.filter((key) => key.startsWith(`${person} `))
    for (const _ of roles) room.log.push('participant.banned')
  }
  leave(room, person, nowMs)
  return { status: 200 }
}

function close(room: RoomModel, nowMs: number): Expected {
  if (!isReleased(room)) {
    room.log.push('room.closed')
    if (room.entries.length === 0 && nowMs < room.startsAtMs) room.isCancelled = true
  }
  shut(room)
  return { status: 200 }
}

function shut(room: RoomModel): void {
  room.isClosed = true
  everybodyOut(room)
  endRecording(room)
}

function closeInside(room: RoomModel, person: number, nowMs: number): Expected {
  const refusal = refusalInside(room, person, nowMs)
  if (refusal !== undefined) return refusal
  if (!CAPABILITIES[visitOf(room, person).role].canClose) return NOT_ALLOWED
  return close(room, nowMs)
}

function cancel(room: RoomModel): Expected {
  if (!room.isClosed) room.log.push('room.closed')
  room.isCancelled = true
  shut(room)
  return { status: 204 }
}

function purge(room: RoomModel, visibility: Visibility | null): Expected {
  const isMeant = (each: { visibility: Visibility }) =>
    visibility === null || each.visibility === visibility
  room.messages = room.messages.filter((each) => !isMeant(each))
  room.log.push('chat.purged')
  return { status: 204 }
}
