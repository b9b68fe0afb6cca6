import type {
  ParticipantInfo,
  ParticipantPermission,
  UpdateParticipantRequest,
} from '@livekit/protocol'
import { refreshToken } from './joining.ts'
import type { Participant } from './participant.ts'
import { unpublishForbidden } from './publishing.ts'
import type { Room } from './room.ts'
import { setDescription } from './signal-session.ts'
import { publicationsFor, subscribe, unsubscribe } from './subscriptions.ts'

/** An administrator's change of a participant. A permission set replaces the former as a whole. */
export function updateParticipant(
  room: Room,
  participant: Participant,
  request: UpdateParticipantRequest,
): ParticipantInfo {
  setDescription(participant, request)
  if (request.permission !== undefined) setPermission(room, participant, request.permission)
  room.sendChange(participant)
  if (request.permission !== undefined) refreshToken(room, participant)
  return participant.toInfo()
}

function setPermission(
  room: Room,
  participant: Participant,
  permission: ParticipantPermission,
): void {
  participant.permission = permission
  unpublishForbidden(room, participant)
  if (!permission.canSubscribe) {
    unsubscribe(room, participant, participant.subscriber.trackSids)
  } else if (participant.client.isAutoSubscribing) {
    subscribe(room, participant, publicationsFor(room, participant))
  }
}
