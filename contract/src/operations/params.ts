import { Type } from 'typebox'
import { PageQuery, Uuid } from '../envelope.ts'

export const SessionParams = Type.Object({ session_id: Uuid })
export const RoomParams = Type.Object({ room_id: Uuid })
export const ParticipantParams = Type.Object({ room_id: Uuid, participant_id: Uuid })
export const RecordingParams = Type.Object({ recording_id: Uuid })
export const TranscriptionParams = Type.Object({ transcription_id: Uuid })
export const HandoutParams = Type.Object({ handout_id: Uuid })
export const RoomHandoutParams = Type.Object({ room_id: Uuid, handout_id: Uuid })
export const ConnectionTestParams = Type.Object({ connection_test_id: Uuid })

/** Of a list without filters. */
export const ListQuery = Type.Object(PageQuery, { additionalProperties: false })
