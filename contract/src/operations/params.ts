import { Type } from 'typebox'
import { about, AfterQuery, PageQuery, Uuid } from '../envelope.ts'
import { CLIP, COMMENT, REEL, SHARE } from './samples-of-reviews.ts'
import {
  CONNECTION_TEST,
  HANDOUT,
  PARTICIPANT,
  QUESTION,
  RECORDING,
  ROOM,
  SESSION,
  TRANSCRIPTION,
} from './samples.ts'

/** The id of a thing in a path, with its value in the examples. */
export function idOf({ id }: { id: string }, description: string) {
  return about(Uuid, description, { examples: [id] })
}

const room_id = idOf(ROOM, 'Id of the room.')
const handout_id = idOf(HANDOUT, 'Id of the handout.')

export const SessionParams = Type.Object({ session_id: idOf(SESSION, 'Id of the session.') })
export const RoomParams = Type.Object({ room_id })
export const ParticipantParams = Type.Object({
  room_id,
  participant_id: idOf(PARTICIPANT, 'Id of the participant.'),
})
/** The path inside a room. Visitors of the simple route and guests have an identity and no participant. */
export const PersonParams = Type.Object({
  room_id,
  participant_id: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Id of the participant, or `identity` of a visitor of the simple route or a guest.',
    examples: [PARTICIPANT.id],
  }),
})
export const RecordingParams = Type.Object({
  recording_id: idOf(RECORDING, 'Id of the recording.'),
})
export const CommentParams = Type.Object({
  recording_id: idOf(RECORDING, 'Id of the recording.'),
  comment_id: idOf(COMMENT, 'Id of the comment.'),
})
export const ClipParams = Type.Object({ clip_id: idOf(CLIP, 'Id of the clip.') })
export const ReelParams = Type.Object({ reel_id: idOf(REEL, 'Id of the reel.') })
export const ShareParams = Type.Object({ share_id: idOf(SHARE, 'Id of the link.') })
export const TranscriptionParams = Type.Object({
  transcription_id: idOf(TRANSCRIPTION, 'Id of the transcription.'),
})
export const HandoutParams = Type.Object({ handout_id })
export const RoomHandoutParams = Type.Object({ room_id, handout_id })
export const ConnectionTestParams = Type.Object({
  connection_test_id: idOf(CONNECTION_TEST, 'Id of the connection test.'),
})

export const RoomQuestionParams = Type.Object({
  room_id,
  question_id: idOf(QUESTION, 'Id of the question.'),
})

/** The query of what is followed in a room. */
export const FollowQuery = Type.Object(AfterQuery, { additionalProperties: false })
/** The query of a list without filters. */
export const ListQuery = Type.Object(PageQuery, { additionalProperties: false })
