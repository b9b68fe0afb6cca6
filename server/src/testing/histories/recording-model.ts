import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import {
  type Expected,
  NOT_ALLOWED,
  NO_RECORDING,
  type RoomModel,
  endRecording,
  isReleased,
  presentOnes,
  presentPanelists,
  refusalInside,
  refusalOfEntry,
  visitOf,
} from './room-model.ts'
import type { Act } from './steps.ts'

/** A recording ends when nobody was there for a minute. Shortly before that, both answers are right. */
const EMPTY_MS = 45_000

export function record(
  room: RoomModel,
  { person, command }: Extract<Act, { do: 'record' }>,
  nowMs: number,
): Expected {
  const refusal = refusalInside(room, person, nowMs)
  if (refusal !== undefined) return refusal
  if (!CAPABILITIES[visitOf(room, person).role].canModerate) return NOT_ALLOWED
  const isDubious = room.emptySinceMs !== undefined && nowMs - room.emptySinceMs > EMPTY_MS
  const expected = control(room, command)
  return isDubious ? { ...expected, or: NO_RECORDING } : expected
}

function control(room: RoomModel, command: 'start' | 'pause' | 'resume' | 'stop'): Expected {
  if (command === 'stop') {
    if (room.recording !== 'none') endRecording(room)
    room.isSuppressed = true
    return { status: 200 }
  }
  if (command === 'start' ? room.recording === 'started' : false) return { status: 200 }
  if (command !== 'start' && room.recording === 'none') return NO_RECORDING
  if (command === 'pause') {
    room.recording = 'paused'
    return { status: 200 }
  }
  if (command === 'resume' && room.recording === 'started') return { status: 200 }
  const isMissing = presentPanelists(room).some((each) => room.consents[each] !== 'given')
  if (isMissing || presentOnes(room).length === 0) return NOT_ALLOWED
  room.recording = 'started'
  room.isSuppressed = false
  return { status: 200 }
}

type Made = Extract<Act, { do: 'make' }>['what']

/** The newest recording of the room, which has ended. */
export function make({ ended }: RoomModel, what: Made): Expected {
  const newest = ended?.at(-1)
  if (newest === undefined) throw new Error('there is no recording')
  if (what !== 'trim') return { status: what === 'download' ? 200 : 201 }
  if (newest.isTrimmed) return { status: 409, code: 'PROCESSED_RECORDING_ALREADY_EXISTS' }
  newest.isTrimmed = true
  return { status: 201 }
}

export function remove({ ended }: RoomModel, what: 'recording' | 'trim'): Expected {
  const newest = ended?.at(-1)
  if (newest !== undefined) newest.isTrimmed = false
  if (what === 'recording') ended?.pop()
  return { status: 204 }
}

/** True if a room that is always recorded is to be recorded now. */
export function isWanted(room: RoomModel, nowMs: number): boolean {
  if (room.archive !== 'always' || room.isSuppressed || isReleased(room)) return false
  if (refusalOfEntry(room, -1, nowMs) !== undefined) return false
  if (presentPanelists(room).some((each) => room.consents[each] !== 'given')) return false
  return presentOnes(room).length > 0
}
