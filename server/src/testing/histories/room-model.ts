import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Role, Visibility } from '@interview-room/contract/vocabulary.ts'

export const MIN_MS = 60_000
export const MARGIN_MS = 30 * MIN_MS
const NOTICE_MS = MIN_MS

export interface Visit {
  role: Role
  isInside: boolean
}

export interface RoomModel {
  /** The act that booked it. */
  name: string
  archive: 'manual' | 'always'
  startsAtMs: number
  endsAtMs: number
  isClosed: boolean
  isCancelled: boolean
  /** The newest visit of each person, by number. */
  visits: Record<number, Visit>
  /** Everybody who ever entered: person and role. */
  participants: string[]
  banned: number[]
  /** Answers about recording, by person. */
  consents: Record<number, 'given' | 'declined' | 'withdrawn'>
  entries: { person: number; role: Role; isOpen: boolean }[]
  messages: { name: string; visibility: Visibility; person: number }[]
  /** The events that the log must have. */
  log: string[]
  recording: 'none' | 'started' | 'paused'
  /** Recordings that ended and are not deleted, oldest first. Undefined where the service decides how many there are. */
  ended: { isTrimmed: boolean }[] | undefined
  /** An automatic recording stays away until all have left. */
  isSuppressed: boolean
  emptySinceMs: number | undefined
}

/** An answer as the contract has it: a status, and the code of a refusal. `either` where the time decides. */
export interface Expected {
  status: number
  code?: string
  or?: Expected
}

export const NOT_FOUND: Expected = { status: 404, code: 'NOT_FOUND' }
export const RELEASED: Expected = { status: 409, code: 'SESSION_RELEASED' }
export const NOT_ALLOWED: Expected = { status: 422, code: 'VALIDATION_ERROR' }
export const WRONG_TIME: Expected = { status: 422, code: 'INVALID_TIME_WINDOW' }
export const NO_RECORDING: Expected = { status: 409, code: 'RECORDING_NOT_AVAILABLE' }

export const isReleased = (room: RoomModel) => room.isClosed || room.isCancelled

export const isOver = (room: RoomModel, nowMs: number) =>
  nowMs >= room.endsAtMs + MARGIN_MS + NOTICE_MS

const OUTSIDE: Expected = { status: 422, code: 'OUTSIDE_TIME_WINDOW' }
const BANNED: Expected = { status: 409, code: 'PARTICIPANT_BANNED' }

export function refusalOfEntry(
  room: RoomModel,
  person: number,
  nowMs: number,
): Expected | undefined {
  if (isReleased(room)) return RELEASED
  if (room.banned.includes(person)) return BANNED
  const isOpen = nowMs >= room.startsAtMs - MARGIN_MS && nowMs <= room.endsAtMs + MARGIN_MS
  return isOpen ? undefined : OUTSIDE
}

/** The refusal of a request by a person who has a ticket. */
export function refusalInside(
  room: RoomModel,
  person: number,
  nowMs: number,
): Expected | undefined {
  if (isReleased(room)) return RELEASED
  if (room.banned.includes(person)) return BANNED
  return nowMs < room.startsAtMs - MARGIN_MS || isOver(room, nowMs) ? OUTSIDE : undefined
}

export const isRefused = (room: RoomModel, person: number) =>
  room.consents[person] === 'declined' || room.consents[person] === 'withdrawn'

export function presentPanelists({ visits }: RoomModel): number[] {
  return Object.entries(visits)
    .filter(([, { role, isInside }]) => isInside && role === 'panelist')
    .map(([person]) => Number(person))
}

export function presentOnes({ visits }: RoomModel): Visit[] {
  return Object.values(visits).filter(
    ({ role, isInside }) => isInside && CAPABILITIES[role].canPublishCamera,
  )
}

export function noteOccupation(room: RoomModel, nowMs: number): void {
  const isEmpty = presentOnes(room).length === 0
  if (isEmpty) room.isSuppressed = false
  room.emptySinceMs = isEmpty ? (room.emptySinceMs ?? nowMs) : undefined
}

export function out(room: RoomModel, person: number): void {
  const visit = room.visits[person]
  if (visit === undefined) return
  visit.isInside = false
  for (const entry of room.entries) if (entry.person === person) entry.isOpen = false
}

export function leave(room: RoomModel, person: number, nowMs: number): void {
  out(room, person)
  noteOccupation(room, nowMs)
}

export function everybodyOut(room: RoomModel): void {
  for (const person of Object.keys(room.visits)) out(room, Number(person))
}

export function visitOf(room: RoomModel, person: number): Visit {
  const visit = room.visits[person]
  if (visit === undefined) throw new Error(`person ${person} was never in ${room.name}`)
  return visit
}

export function endRecording(room: RoomModel): void {
  if (room.recording === 'none') return
  room.recording = 'none'
  room.ended?.push({ isTrimmed: false })
}
