import {
  ERASURE,
  LEGAL_HOLD,
} from '@interview-room/contract/operations/samples-of-data-protection.ts'
import {
  API_KEY,
  TOKEN_KEY,
  USAGE,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
} from '@interview-room/contract/operations/samples-of-management.ts'
import { CLIP } from '@interview-room/contract/operations/samples-of-reviews.ts'
import {
  CONNECTION_TEST,
  HANDOUT,
  PARTICIPANT,
  QUESTION,
  RECORDING,
  ROOM,
  SESSION,
  TRANSCRIPTION,
} from '@interview-room/contract/operations/samples.ts'

/** A value for every parameter that an operation requires, of the interview that all examples are about. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string>> = {
  session_id: SESSION.id,
  room_id: ROOM.id,
  participant_id: PARTICIPANT.id,
  recording_id: RECORDING.id,
  transcription_id: TRANSCRIPTION.id,
  clip_id: CLIP.id,
  handout_id: HANDOUT.id,
  question_id: QUESTION.id,
  connection_test_id: CONNECTION_TEST.id,
  key_id: API_KEY.key_id,
  kid: TOKEN_KEY.kid,
  webhook_endpoint_id: WEBHOOK_ENDPOINT.id,
  webhook_delivery_id: WEBHOOK_DELIVERY.id,
  erasure_id: ERASURE.id,
  legal_hold_id: LEGAL_HOLD.id,
  from: USAGE.from,
  to: USAGE.to,
  external_type: SESSION.external_type,
  external_id: SESSION.external_id,
}
