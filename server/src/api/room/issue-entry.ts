import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import { CAPABILITIES, publishedCapabilities } from '@interview-room/contract/capabilities.ts'
import { type ConsentState, isRefused } from '@interview-room/contract/consent-rules.ts'
import { MEDIA_TOKEN_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { EntryBody, TicketBody } from '@interview-room/contract/live-entry.ts'
import { windowOf } from '../../domain/booking/session.ts'
import type { GrantedAdmission } from '../../domain/people/admit.ts'
import type { AdmissionRoom } from '../../domain/people/participant.ts'
import type { AdmissionPreview } from '../../domain/people/preview-admission.ts'
import type { TicketHolder, Tickets } from '../../domain/people/ticket.ts'
import { findMediaRights } from '../../domain/people/update-media-rights.ts'
import { type Query, readOnOneConnection } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { MediaGrant } from '../../platform/ports/media.ts'
import { readConsentSettings } from '../../platform/tenants/consent-settings.ts'

/** The ticket for our API and the token for the media room, for a person who may be inside. */
export async function issueEntry(
  media: Deps['media'],
  tickets: Tickets,
  { rights, ...holder }: TicketHolder & Pick<MediaGrant, 'rights'>,
): Promise<TicketBody> {
  const token = await media.signToken({
    mediaRoom: holder.roomId,
    identity: holder.mediaIdentity,
    displayName: holder.displayName,
    role: holder.role,
    rights,
    lifeSec: MEDIA_TOKEN_LIFE_SEC,
  })
  const { ticket, expiresAt } = await tickets.issue(holder)
  return {
    ticket,
    ticket_expires_at: expiresAt.toISOString(),
    media: { url: await media.addressOf(holder.roomId), token },
  }
}

/** Issues the same for somebody who is already inside. */
export async function renewEntry(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  tickets: Tickets,
  { consentTerms, ...holder }: TicketHolder & Pick<AdmissionRoom, 'consentTerms'>,
): Promise<TicketBody> {
  const rights = await readOnOneConnection(db, (query) =>
    findMediaRights(query, holder, consentTerms),
  )
  return issueEntry(media, tickets, { ...holder, rights })
}

/** The part of the answer that does not depend on who enters. */
export type EntryTerms = Awaited<ReturnType<typeof readEntryTerms>>

type RecordedRoom = Pick<AdmissionRoom, 'archiveMode' | 'consentTerms'>

export async function readEntryTerms(
  query: Query,
  room: RecordedRoom & Pick<AdmissionRoom, 'tenantId'>,
) {
  const { returnUrl, staffReturnUrl, texts, branding } = await readConsentSettings(
    query,
    room.tenantId,
  )
  return { ...recordingTermsOf(room), returnUrl, staffReturnUrl, texts, branding }
}

function recordingTermsOf({
  archiveMode,
  consentTerms,
}: RecordedRoom): Pick<EntryBody['room'], 'is_recorded' | 'recording_consent'> {
  const isAlways = archiveMode === 'always'
  return {
    is_recorded: isAlways || consentTerms.isRecording,
    recording_consent: isAlways ? 'required' : 'optional',
  }
}

export function presentEntry(
  { room, admission, consents, read }: GrantedAdmission<EntryTerms>,
  ticket: TicketBody,
): EntryBody {
  const { returnUrl, staffReturnUrl, texts, branding, ...terms } = read
  const { session } = room
  const can = CAPABILITIES[admission.role]
  const isAskedForConsent = can.isAskedForConsent && consents.recording !== 'obtained'
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
      observation_consent: room.consentTerms.observation,
    },
    session: presentSession(session),
    capabilities: publishedCapabilities({ ...can, isAskedForConsent }),
    closes_at: session === null ? null : windowOf(session).closesAt.toISOString(),
    consents,
    consent_texts: texts,
    branding,
    return_url: admission.role === 'panelist' ? returnUrl : staffReturnUrl,
    consent: lastAnswerOf(consents.recording),
  }
}

/** The preview for somebody who has not entered. */
export function presentPreview(
  { room, role, displayName, consents, isOpen }: AdmissionPreview,
  { texts, branding, is_recorded, recording_consent }: EntryTerms,
  now: Date,
): AdmissionCheckBody {
  const window = room.session === null ? undefined : windowOf(room.session)
  return {
    now: now.toISOString(),
    is_open: isOpen,
    opens_at: window?.opensAt.toISOString() ?? null,
    closes_at: window?.closesAt.toISOString() ?? null,
    role,
    display_name: displayName,
    session: presentSession(room.session),
    is_recorded,
    recording_consent,
    is_consent_obtained: room.consentTerms.recording === 'obtained',
    observation_consent: room.consentTerms.observation,
    consents,
    consent_texts: texts,
    branding,
  }
}

export function presentSession(session: AdmissionRoom['session']): EntryBody['session'] {
  if (session === null) return null
  const { name, startsAt, endsAt } = session
  return { name, starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() }
}

/** In the words of before there were purposes. */
function lastAnswerOf(state: ConsentState): EntryBody['consent'] {
  if (state === 'given') return 'given'
  return isRefused(state) ? 'declined' : null
}
