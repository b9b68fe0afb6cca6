import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { MEDIA_TOKEN_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { Consent, EntryBody, TicketBody } from '@interview-room/contract/live-entry.ts'
import type { Deps } from '../deps.ts'
import { findConsent } from '../facts/find-consent.ts'
import { ServiceError } from '../lib/service-error.ts'
import { MediaError } from '../media/media.ts'
import type { Admitted } from '../participants/admit.ts'
import type { GateRoom } from '../participants/participant.ts'
import { findRecordingTerms } from '../recordings/find-recording-terms.ts'
import { mediaRoomSpec } from '../rooms/ensure-media-room.ts'
import { windowOf } from '../sessions/session.ts'
import type { TicketHolder, Tickets } from './ticket.ts'

const RETRY_AFTER_SEC = 2

type DoorDeps = Pick<Deps, 'media' | 'clock' | 'config'>

/**
 * What a person who may be inside needs: a ticket for us and a token for the media room, which is
 * made sure of first. Throws 503 SERVICE_UNAVAILABLE when the provider cannot be reached.
 */
export async function openDoor(
  { media, clock, config }: DoorDeps,
  tickets: Tickets,
  { room, holder }: { room: GateRoom; holder: TicketHolder },
): Promise<TicketBody> {
  await media.ensureRoom(mediaRoomSpec(room, clock())).catch((cause: unknown) => {
    if (!(cause instanceof MediaError)) throw cause
    const headers = { 'retry-after': String(RETRY_AFTER_SEC) }
    throw new ServiceError('SERVICE_UNAVAILABLE', { headers, note: 'media room not ready', cause })
  })
  const token = await media.signToken({
    mediaRoom: room.id,
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

export function holderOf({ admission }: Admitted): TicketHolder {
  const { id, tenantId, roomId, participantId, mediaIdentity, role, displayName } = admission
  return { admissionId: id, tenantId, roomId, participantId, mediaIdentity, role, displayName }
}

/** What the page needs to know to ask for consent before the first media. */
interface Asking {
  consent: Consent | null
  terms: Awaited<ReturnType<typeof findRecordingTerms>>
}

export async function findAsking({ db }: Pick<Deps, 'db'>, holder: TicketHolder): Promise<Asking> {
  const [consent, terms] = await Promise.all([
    findConsent(db, holder),
    findRecordingTerms(db, holder.roomId),
  ])
  return { consent, terms }
}

export function presentEntry(
  { room, admission }: Admitted,
  door: TicketBody,
  asking: Asking,
): EntryBody {
  const { session } = room
  return {
    ...door,
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
      ...asking.terms,
    },
    session:
      session === null
        ? null
        : {
            name: session.name,
            starts_at: session.startsAt.toISOString(),
            ends_at: session.endsAt.toISOString(),
          },
    capabilities: CAPABILITIES[admission.role],
    closes_at: session === null ? null : windowOf(session).closesAt.toISOString(),
    consent: asking.consent,
  }
}
