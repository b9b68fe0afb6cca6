import { type Static, Type } from 'typebox'
import { ClipStatus } from './enums.ts'
import { dateTime, LongInteger, named, nullable, text, uuid } from './envelope.ts'
import { CLIP_TAG_MAX, CLIP_TAGS_MAX, CLIP_TITLE_MAX } from './limits.ts'
import { ViewerBody } from './reviews.ts'
import { about } from './schema.ts'

/** An offset into a finished recording, in seconds. The schema cannot know the recording's length. */
const Position = Type.Number({ minimum: 0 })

/** Body of `POST /recordings/{recording_id}/clips`. */
export const ClipRequest = named(
  'ClipRequest',
  Type.Object(
    {
      start_sec: about(Position, 'Start of the range, in seconds from the start of the file.'),
      end_sec: about(
        Position,
        'End of the range, in seconds from the start of the file. After `start_sec`, and not after the end of the recording.',
      ),
      title: Type.Optional(
        nullable(
          text(CLIP_TITLE_MAX),
          'What the clip shows, in one line. Null or absent: no title.',
        ),
      ),
      tags: Type.Optional(
        Type.Array(text(CLIP_TAG_MAX), {
          maxItems: CLIP_TAGS_MAX,
          description: 'Words to find it by, each once.',
          uniqueItems: true,
        }),
      ),
    },
    { additionalProperties: false, description: 'Which range of the recording to cut out.' },
  ),
)
export type ClipRequest = Static<typeof ClipRequest>

export const ClipBody = named(
  'Clip',
  Type.Object(
    {
      id: uuid('Id of the clip.'),
      recording_id: uuid('Id of the recording.'),
      title: nullable(Type.String(), 'What the clip shows. Null when no title was given.'),
      tags: Type.Array(Type.String(), { description: 'Words to find it by.' }),
      start_sec: Type.Number({ description: 'Start of the range in the recording, in seconds.' }),
      end_sec: Type.Number({ description: 'End of the range in the recording, in seconds.' }),
      viewer: nullable(ViewerBody, 'Who made it. Null when it was made with an API key.'),
      status: ClipStatus,
      progress_percent: nullable(
        Type.Integer({ minimum: 0, maximum: 100 }),
        'The finished share of the file. Null unless it is being made.',
      ),
      size: nullable(LongInteger, 'Size of the file in bytes. Null until it is available.'),
      duration_sec: nullable(
        Type.Number(),
        'Length of the file in seconds, as measured. Null until it is available.',
      ),
      failure_reason: nullable(
        Type.String(),
        'Why it failed: `source_missing`, `source_unreadable`, `storage_unavailable`, `timed_out` or `internal`. Null unless `status` is `failed`. New words may be added.',
      ),
      created_at: dateTime('When it was created.'),
      updated_at: dateTime('When it last changed.'),
    },
    { description: 'A range of a recording as a file of its own. A recording may have many.' },
  ),
)
export type ClipBody = Static<typeof ClipBody>
