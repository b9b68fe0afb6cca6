import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { PostedEventType, NewPostedEvent } from '@interview-room/contract/live-moderation.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Clock } from '../../../platform/lib/clock.ts'
import { findOpenConsents } from '../../people/find-consent.ts'
import { postRoomEvent } from '../../people/post-room-event.ts'
import { lockRoomAsParticipant } from '../../people/require-holder.ts'
import type { TicketHolder } from '../../people/ticket.ts'
import { stopRecording } from './order-recording.ts'
import { findRecordingTerms } from './read-recordings.ts'
import { reconcileRecordingRequest } from './recording-requests.ts'

export function isConsent(type: PostedEventType): boolean {
  return type.startsWith('consent.')
}

interface Answer {
  clock: Clock
  holder: TicketHolder
  event: NewPostedEvent
}

/**
 * Notes what somebody says to being recorded. A refusal ends the recording that runs, unless it is
 * of somebody who does not come in: where recording is required, that is what declining means.
 */
export async function answerConsent(
  tx: Tx,
  { clock, holder, event }: Answer,
): Promise<PostedEvent> {
  const locked = await lockRoomAsParticipant(tx, clock, holder)
  const { roomId, mediaIdentity, role } = holder
  const published = await postRoomEvent(tx, locked, { sender: holder, event })
  await enqueue(tx, reconcileRecordingRequest(roomId))
  const isRefusal = event.event_type !== 'consent.given' && CAPABILITIES[role].isAskedForConsent
  if (!isRefusal) return published
  const { recording_consent } = await findRecordingTerms(tx, roomId)
  const { refused } = await findOpenConsents(tx, roomId)
  if (recording_consent === 'required' && !refused.includes(mediaIdentity)) return published
  await stopRecording(tx, locked, { reason: 'consent_refused', now: clock() })
  return published
}
