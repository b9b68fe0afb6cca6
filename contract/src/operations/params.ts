import { Type } from 'typebox'
import { PageQuery, uuid } from '../envelope.ts'

const room_id = uuid('Id of the room.')
const handout_id = uuid('Id of the handout.')

export const SessionParams = Type.Object({ session_id: uuid('Id of the session.') })
export const RoomParams = Type.Object({ room_id })
export const ParticipantParams = Type.Object({
  room_id,
  participant_id: uuid('Id of the participant.'),
})
/** The path inside a room. Visitors of the simple route have an identity and no participant. */
export const PersonParams = Type.Object({
  room_id,
  participant_id: uuid('Id of the participant, or `identity` of a visitor of the simple route.'),
})
export const RecordingParams = Type.Object({ recording_id: uuid('Id of the recording.') })
export const ClipParams = Type.Object({ clip_id: uuid('Id of the clip.') })
export const TranscriptionParams = Type.Object({
  transcription_id: uuid('Id of the transcription.'),
})
export const HandoutParams = Type.Object({ handout_id })
export const RoomHandoutParams = Type.Object({ room_id, handout_id })
export const ConnectionTestParams = Type.Object({
  connection_test_id: uuid('Id of the connection test.'),
})

export const RoomQuestionParams = Type.Object({
  room_id,
  question_id: uuid('Id of the question.'),
})

/** The query of a list without filters. */
export const ListQuery = Type.Object(PageQuery, { additionalProperties: false })
