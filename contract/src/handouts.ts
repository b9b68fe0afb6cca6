import { type Static, Type } from 'typebox'
import { DateTime, nullable, oneOf, Uuid } from './envelope.ts'
import { HANDOUT_CONTENT_TYPES } from './vocabulary.ts'

export const HandoutBody = Type.Object({
  id: Uuid,
  session_id: Uuid,
  external_type: nullable(Type.String()),
  external_id: nullable(Type.String()),
  file_name: Type.String(),
  file_url: Type.String(),
  content_type: oneOf(HANDOUT_CONTENT_TYPES),
  sort: Type.Integer(),
  created_at: DateTime,
})
export type HandoutBody = Static<typeof HandoutBody>
