import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { RoomEventRequest } from '@interview-room/contract/live-moderation.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Clock } from '../../../platform/lib/clock.ts'
import { refuseField } from '../../../platform/lib/service-error.ts'
import { isConsentVersion } from '../../../platform/tenants/consent-settings.ts'
import { findOpenConsents, readConsentTerms } from '../../people/find-consent.ts'
import { postRoomEvent } from '../../people/post-room-event.ts'
import { lockRoomAsParticipant } from '../../people/require-holder.ts'
import type { TicketHolder } from '../../people/ticket.ts'
import { requestMediaRights } from '../../people/update-media-rights.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import { stopRecording } from './order-recording.ts'
import { followRecordingRequest } from './recording-requests.ts'

interface Answer {
  clock: Clock
  holder: TicketHolder
  event: RoomEventRequest
}

/** Roles that see the consent of others in the roster. */
const CONSENT_READERS = ROLES.filter((role) => role !== 'panelist')

/**
 * Stores a person's answer about being recorded or observed. Declining ends the running recording, except before entering a
 * room that requires recording: there it means not entering. A job updates the media permissions. Throws 422 VALIDATION_ERROR
 * for consent to a text that the tenant never had.
 */
export async function answerConsent(
  tx: Tx,
  { clock, holder, event }: Answer,
): Promise<PostedEvent> {
  await refuseUnknownVersion(tx, holder, event)
  const locked = await lockRoomAsParticipant(tx, clock, holder)
  const { roomId, mediaIdentity, role } = holder
  const published = await postRoomEvent(tx, locked, { sender: holder, event })
  const terms = await readConsentTerms(tx, roomId)
  await requestMediaRights(tx, roomId, terms)
  await publishLiveEvent(tx, locked, { name: 'roster', roles: CONSENT_READERS })
  if ((event.payload?.purpose ?? 'recording') !== 'recording') return published
  await enqueue(tx, followRecordingRequest(roomId))
  const isRefusal = event.event_type !== 'consent.given' && CAPABILITIES[role].isAskedForConsent
  if (!isRefusal || terms.recording === 'obtained') return published
  const { refused } = await findOpenConsents(tx, roomId)
  if (terms.recording === 'required' && !refused.includes(mediaIdentity)) return published
  await stopRecording(tx, locked, { reason: 'consent_refused', now: clock() })
  return published
}

/** A refusal or a withdrawal holds whatever text it names. */
async function refuseUnknownVersion(
  tx: Tx,
  { tenantId }: TicketHolder,
  { event_type: type, payload }: RoomEventRequest,
): Promise<void> {
  const version = payload?.version
  if (type !== 'consent.given' || version === undefined) return
  if (await isConsentVersion(tx, { tenantId, version })) return
  throw refuseField('VALIDATION_ERROR', {
    field: 'payload.version',
    code: 'INVALID_ENUM',
    message:
      'must be the version of a consent text of the tenant, as the answer of an entry gives it',
  })
}
