import { CAPABILITIES, publishedCapabilities } from '@interview-room/contract/capabilities.ts'
import { MEDIA_TOKEN_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { EntryBody, TicketBody } from '@interview-room/contract/live-entry.ts'
import { mediaRoomSpec } from '../../domain/booking/media-room.ts'
import { windowOf } from '../../domain/booking/session.ts'
import type { GrantedAdmission } from '../../domain/people/admit.ts'
import type { AdmissionRoom } from '../../domain/people/participant.ts'
import type { TicketHolder, Tickets } from '../../domain/people/ticket.ts'
import type { findRecordingTerms } from '../../domain/recording/recordings/read-recordings.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'

const RETRY_AFTER_SEC = 2

/** Makes the media room where it is missing. Throws 503 SERVICE_UNAVAILABLE when the provider cannot be reached. */
export async function ensureMediaRoom(
  { media, clock }: Pick<Deps, 'media' | 'clock'>,
  room: AdmissionRoom,
): Promise<void> {
  await media.ensureRoom(mediaRoomSpec(room, clock())).catch((cause: unknown) => {
    if (!(cause instanceof MediaError)) throw cause
    const headers = { 'retry-after': String(RETRY_AFTER_SEC) }
    throw new ServiceError('SERVICE_UNAVAILABLE', { headers, note: 'media room not ready', cause })
  })
}

/** What a person who may be inside needs: a ticket for us and a token for the media room. */
export async function issueEntry(
  { media, config }: Pick<Deps, 'media' | 'config'>,
  tickets: Tickets,
  holder: TicketHolder,
): Promise<TicketBody> {
  const token = await media.signToken({
    mediaRoom: holder.roomId,
    identity: holder.mediaIdentity,
    displayName: holder.displayName,
    role: holder.role,
    lifeSec: MEDIA_TOKEN_LIFE_SEC,
  })
  const { ticket, expiresAt } = await tickets.issue(holder)
  return {
    ticket,
    ticket_expires_at: expiresAt.toISOString(),
    media: { url: config.livekit.publicUrl, token },
  }
}

export function holderOf({ admission }: GrantedAdmission): TicketHolder {
  const { id, tenantId, roomId, participantId, mediaIdentity, role, displayName } = admission
  return { admissionId: id, tenantId, roomId, participantId, mediaIdentity, role, displayName }
}

export function presentEntry(
  { room, admission, consent }: GrantedAdmission,
  ticket: TicketBody,
  terms: Awaited<ReturnType<typeof findRecordingTerms>>,
): EntryBody {
  const { session } = room
  return {
    ...ticket,
    participant: {
      id: admission.participantId,
      role: admission.role,
      display_name: admission.displayName,
    },
    room: {
      id: room.id,
      kind: room.kind,
      stream_resolution: room.streamResolution,
      stream_frame_rate: room.streamFrameRate,
      ...terms,
    },
    session:
      session === null
        ? null
        : {
            name: session.name,
            starts_at: session.startsAt.toISOString(),
            ends_at: session.endsAt.toISOString(),
          },
    capabilities: publishedCapabilities(CAPABILITIES[admission.role]),
    closes_at: session === null ? null : windowOf(session).closesAt.toISOString(),
    consent,
  }
}
