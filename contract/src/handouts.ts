import { type Static, Type } from 'typebox'
import { DateTime, nullable, oneOf, text, Uuid } from './envelope.ts'
import { EXTERNAL_REF_MAX, HANDOUT_SORT_MAX } from './limits.ts'
import { HANDOUT_CONTENT_TYPES } from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const

const File = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description:
    'The file, with its name. Images: jpg, jpeg, gif, png, bmp, tiff, at most 20 MB and 50 million pixels, whole. Videos: mp4, mov, at most 300 MB.',
})
const ContentType = oneOf(HANDOUT_CONTENT_TYPES, { description: 'Must agree with the file.' })
const Sort = Type.Integer({ minimum: 0, maximum: HANDOUT_SORT_MAX })
const ExternalText = text(EXTERNAL_REF_MAX)

/**
 * Parts of `POST /sessions/{session_id}/handouts`, in any order. The external reference is a pair,
 * or absent.
 */
export const NewHandout = Type.Object(
  {
    file: File,
    content_type: ContentType,
    sort: Type.Optional({ ...Sort, default: 0 }),
    external_type: Type.Optional(ExternalText),
    external_id: Type.Optional(ExternalText),
  },
  STRICT,
)
export type NewHandout = Static<typeof NewHandout>

/** Parts of `PATCH /handouts/{handout_id}`: only those given are changed. */
export const HandoutPatch = Type.Object(
  {
    file: Type.Optional(File),
    content_type: Type.Optional(ContentType),
    sort: Type.Optional(Sort),
  },
  STRICT,
)
export type HandoutPatch = Static<typeof HandoutPatch>

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
