import { type Static, Type } from 'typebox'
import { HandoutContentType } from './enums.ts'
import {
  about,
  dateTime,
  ExternalIdText,
  ExternalType,
  named,
  nullable,
  NULLABLE_EXTERNAL_REF,
  string,
  text,
  uuid,
} from './envelope.ts'
import { HANDOUT_SORT_MAX, HANDOUT_TITLE_MAX } from './limits.ts'

const Title = about(
  text(HANDOUT_TITLE_MAX),
  'What people in the room read. They never see the name of the file.',
)

const STRICT = { additionalProperties: false } as const

const File = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description:
    'The file, with its name. An image is jpg, jpeg, gif, png, bmp or tiff, at most 20 MB and 50 million pixels. A video is mp4 or mov, at most 300 MB, with pictures that can be decoded.',
})
const ContentType = about(HandoutContentType, 'Kind of the file. Must agree with its content.')
const Sort = Type.Integer({
  minimum: 0,
  maximum: HANDOUT_SORT_MAX,
  description: 'Position in the list; smaller numbers come first.',
})

/**
 * Parts of `POST /sessions/{session_id}/handouts`, in any order. The external reference is a pair,
 * or absent.
 */
export const HandoutRequest = named(
  'HandoutRequest',
  Type.Object(
    {
      file: File,
      content_type: ContentType,
      sort: Type.Optional({ ...Sort, default: 0 }),
      title: Type.Optional(Title),
      external_type: Type.Optional(ExternalType),
      external_id: Type.Optional(ExternalIdText),
    },
    { ...STRICT, description: 'The handout to register.' },
  ),
)
export type HandoutRequest = Static<typeof HandoutRequest>

/** Parts of `POST /rooms/{room_id}/live/handouts`. */
export const HandoutInRoomRequest = named(
  'HandoutInRoomRequest',
  Type.Object(
    { file: File, title: Type.Optional(about(Title, 'What people in the room read.')) },
    { ...STRICT, description: 'The handout to add.' },
  ),
)
export type HandoutInRoomRequest = Static<typeof HandoutInRoomRequest>

/** Parts of `PATCH /handouts/{handout_id}`. Parts that are absent stay unchanged. */
export const HandoutPatch = named(
  'HandoutPatch',
  Type.Object(
    {
      file: Type.Optional(File),
      content_type: Type.Optional(ContentType),
      sort: Type.Optional(Sort),
      title: Type.Optional(about(Title, 'The new title.')),
    },
    { ...STRICT, description: 'What to change. An absent part stays as it is.' },
  ),
)
export type HandoutPatch = Static<typeof HandoutPatch>

export const HandoutBody = named(
  'Handout',
  Type.Object(
    {
      id: uuid('Id of the handout.'),
      session_id: uuid('Id of the session.'),
      ...NULLABLE_EXTERNAL_REF,
      file_name: string('Name of the file. Only staff see it.'),
      title: nullable(Type.String(), 'What people in the room read. Null when none was given.'),
      file_url: string(
        'Signed URL of the file; in a room, of a PNG in place of a TIFF, and of H.264 in place of a video that not every browser plays, once that is made. Valid until 90 minutes after the slot ends, and for at least 15 minutes.',
      ),
      content_type: HandoutContentType,
      sort: Type.Integer({ description: 'Position in the list; smaller numbers come first.' }),
      created_at: dateTime('When the handout was registered.'),
    },
    { description: 'An image or a video that a moderator can show in the room.' },
  ),
)
export type HandoutBody = Static<typeof HandoutBody>
