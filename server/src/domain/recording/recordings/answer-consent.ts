import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { FactType, NewFact } from '@interview-room/contract/live-moderation.ts'
import type { Fact } from '@interview-room/contract/live-stream.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Clock } from '../../../platform/lib/clock.ts'
import { findMissingConsents } from '../../people/find-consent.ts'
import { holdRoomInside } from '../../people/require-holder.ts'
import { sendFact } from '../../people/send-fact.ts'
import type { TicketHolder } from '../../people/ticket.ts'
import { stopRecording } from './order-recording.ts'
import { findRecordingTerms } from './read-recordings.ts'
import { followRecordingRequest } from './recording-requests.ts'

export function isConsent(type: FactType): boolean {
  return type.startsWith('consent.')
}

interface Answer {
  clock: Clock
  holder: TicketHolder
  fact: NewFact
}

/**
 * Notes what somebody says to being recorded. A refusal ends the recording that runs, unless it is
 * of somebody who does not come in: where recording is required, that is what declining means.
 */
export async function answerConsent(tx: Tx, { clock, holder, fact }: Answer): Promise<Fact> {
  const held = await holdRoomInside(tx, clock, holder)
  const { roomId, mediaIdentity, role } = holder
  const told = await sendFact(tx, held, { sender: holder, fact })
  await enqueue(tx, followRecordingRequest(roomId))
  const isRefusal = fact.event_type !== 'consent.given' && CAPABILITIES[role].isAskedForConsent
  if (!isRefusal) return told
  const { recording_consent } = await findRecordingTerms(tx, roomId)
  const { refused } = await findMissingConsents(tx, roomId)
  if (recording_consent === 'required' && !refused.includes(mediaIdentity)) return told
  await stopRecording(tx, held, { reason: 'consent_refused', now: clock() })
  return told
}
