import type { BanBody, ParticipantBody } from '@interview-room/contract/participants.ts'
import { type Participant, participantStatusOf } from './participant.ts'

export function presentParticipant(participant: Participant): ParticipantBody {
  return {
    id: participant.id,
    room_id: participant.roomId,
    role: participant.role,
    display_name: participant.displayName,
    external_type: participant.externalType,
    external_id: participant.externalId,
    status: participantStatusOf(participant),
    banned_at: participant.bannedAt?.toISOString() ?? null,
    created_at: participant.createdAt.toISOString(),
  }
}

export function presentBan({ participantId }: { participantId: string }): BanBody {
  return { participant_id: participantId, status: 'banned' }
}
