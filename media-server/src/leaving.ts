import type { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol'
import type { Participant } from './participant.ts'
import { unpublish } from './publishing.ts'
import type { Room } from './room.ts'

/** Ends a connection: the others lose its tracks and hear that it is gone. */
export function leave(
  room: Room,
  participant: Participant,
  reason: DisconnectReason,
  action?: LeaveRequest_Action,
): void {
  if (participant.isGone) return
  const tracks = [...participant.tracks.values()]
  room.remove(participant, reason, action)
  for (const track of tracks) unpublish(room, participant, track)
}
