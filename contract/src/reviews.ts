import { type Static, Type } from 'typebox'
import {
  boolean,
  DateTime,
  dateTime,
  freeText,
  KEPT_CHARACTERS,
  named,
  nullable,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { COMMENT_MAX, VIEWER_TOKEN_ID_MAX } from './limits.ts'
import { VISIBLE_ASCII } from './management.ts'
import { about, wordsOf } from './schema.ts'

/** The abilities that a viewer token may grant. */
export const VIEWER_ABILITIES = [
  'watch',
  'comment',
  'clip',
  'download',
  'share',
  'staff',
  'correct',
] as const
export type ViewerAbility = (typeof VIEWER_ABILITIES)[number]
export const ViewerAbility = wordsOf('ViewerAbility', VIEWER_ABILITIES, {
  about: 'Something that a viewer token allows.',
  watch: 'Watch, and read the transcript and the timeline.',
  comment: 'Read and write comments.',
  clip: 'Make, download and delete clips.',
  download: 'Download the file.',
  share: 'Make links for others, who may do no more.',
  correct: 'Correct transcripts.',
  staff: 'With `watch`: read the whole timeline, and start transcriptions.',
})

const Offset = Type.Number({ minimum: 0 })
const EndOffset = nullable(
  Offset,
  'End of the range that it is about, in seconds from the start of the file: after `offset_sec`, and not after the end of the recording. Null or absent: a moment.',
)

/** Body of `POST /recordings/{recording_id}/comments`. */
export const CommentRequest = named(
  'CommentRequest',
  Type.Object(
    {
      text: about(freeText(COMMENT_MAX), `What the viewer says. ${KEPT_CHARACTERS}`),
      offset_sec: Type.Optional(
        nullable(
          Offset,
          'Where in the file it is about, in seconds from its start. Not after the end of the recording. Null or absent: about all of it.',
        ),
      ),
      end_sec: Type.Optional(EndOffset),
      reply_to: Type.Optional(
        nullable(
          Uuid,
          'Id of the comment that it answers. An answer is not answered itself, and has no place of its own.',
        ),
      ),
    },
    { additionalProperties: false, description: 'What a viewer says of a recording.' },
  ),
)
export type CommentRequest = Static<typeof CommentRequest>

/** Body of `PATCH /recordings/{recording_id}/comments/{comment_id}`, a merge patch. */
export const CommentPatch = named(
  'CommentPatch',
  Type.Object(
    {
      text: Type.Optional(about(freeText(COMMENT_MAX), `What the viewer says. ${KEPT_CHARACTERS}`)),
      offset_sec: Type.Optional(
        nullable(
          Offset,
          'Where in the file it is about, in seconds from its start. Null: about all of it.',
        ),
      ),
      end_sec: Type.Optional(EndOffset),
      is_resolved: Type.Optional(
        about(
          Type.Boolean(),
          'Whether it is settled. Everybody who may comment can change this; the other members only the author.',
        ),
      ),
    },
    { additionalProperties: false, description: 'A change of a comment.' },
  ),
)
export type CommentPatch = Static<typeof CommentPatch>

/** The person named in a viewer token. */
export const ViewerBody = named(
  'Viewer',
  Type.Object(
    {
      reference: string('`sub` of the viewer token: your reference of the person.'),
      name: string('`name` of the viewer token, as it was then.'),
    },
    { description: 'The person of a viewer token.' },
  ),
)

export const CommentBody = named(
  'Comment',
  Type.Object(
    {
      id: uuid('Id of the comment.'),
      recording_id: uuid('Id of the recording.'),
      viewer: about(ViewerBody, 'Who wrote it.'),
      offset_sec: nullable(
        Type.Number(),
        'Where in the file it is about, in seconds from its start. Null: about all of it.',
      ),
      end_sec: nullable(Type.Number(), 'End of the range that it is about. Null: a moment.'),
      reply_to: nullable(Uuid, 'Id of the comment that it answers. Null: it answers none.'),
      text: string('What the viewer says.'),
      is_resolved: boolean('Whether it is settled.'),
      created_at: dateTime('When it was written.'),
      updated_at: nullable(DateTime, 'When its author last changed it. Null before that.'),
    },
    { description: 'What a viewer says of a recording.' },
  ),
)
export type CommentBody = Static<typeof CommentBody>

/** Body of `POST /viewer-tokens/revoke`. */
export const ViewerTokenRevocation = named(
  'ViewerTokenRevocation',
  Type.Object(
    {
      jti: Type.String({
        minLength: 1,
        maxLength: VIEWER_TOKEN_ID_MAX,
        pattern: VISIBLE_ASCII,
        description: '`jti` of the token: 1 to 128 visible ASCII characters.',
      }),
    },
    { additionalProperties: false, description: 'Which token to end.' },
  ),
)
