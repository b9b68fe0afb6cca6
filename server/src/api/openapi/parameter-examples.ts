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
  handout_id: HANDOUT.id,
  question_id: QUESTION.id,
  connection_test_id: CONNECTION_TEST.id,
  external_type: SESSION.external_type,
  external_id: SESSION.external_id,
}
