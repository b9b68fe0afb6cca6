import {
  HOST_MESSAGE_SOURCE,
  HOST_MESSAGE_VERSION,
  type HostMessage,
  type HostRefusal,
} from '@interview-room/contract/host-messages.ts'
import { type CallState, isInRoom } from '../../connection/call-state.ts'
import type { Refusal } from '../../connection/refusal.ts'

const FROM_ROOM = { source: HOST_MESSAGE_SOURCE, version: HOST_MESSAGE_VERSION } as const

const REASONS: Record<Exclude<Refusal['page'], 'closed'>, HostRefusal> = {
  'bad-link': 'bad_link',
  'too-early': 'too_early',
  over: 'over',
  cancelled: 'cancelled',
  banned: 'banned',
  removed: 'removed',
  elsewhere: 'elsewhere',
  declined: 'declined',
  withdrawn: 'withdrawn',
  lost: 'lost',
  unavailable: 'unavailable',
}

/** The message to the embedding page when the call changes state. Undefined if there is nothing to tell. */
export function hostMessageOf(
  before: CallState,
  after: CallState,
  roomId: string,
): HostMessage | undefined {
  const base = { ...FROM_ROOM, room_id: roomId }
  if (isInRoom(after)) return isInRoom(before) ? undefined : { ...base, type: 'joined' }
  if (before.phase === after.phase) return undefined
  if (after.phase === 'left') return { ...base, type: 'left' }
  if (after.phase !== 'refused') return undefined
  const { page } = after.refusal
  const isEnd = page === 'closed' || (page === 'over' && after.facts !== undefined)
  return isEnd ? { ...base, type: 'closed' } : { ...base, type: 'refused', reason: REASONS[page] }
}

/** The refusal of a page that cannot even ask to enter. */
export function refusedAtOnce(roomId: string, reason: HostRefusal): HostMessage {
  return { ...FROM_ROOM, room_id: roomId, type: 'refused', reason }
}

/** The origins that a content security policy allows to embed the page. */
export function framersIn(policy: string): string[] {
  const [, sources = ''] = /(?:^|;)\s*frame-ancestors ([^;]*)/.exec(policy) ?? []
  return sources.split(/\s+/).filter((source) => /^https?:\/\//.test(source))
}
