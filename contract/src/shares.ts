import { type Static, Type } from 'typebox'
import { DateTime, dateTime, named, nullable, PLAIN, string, text, Uuid, uuid } from './envelope.ts'
import {
  EXTERNAL_REF_MAX,
  SHARE_DEFAULT_SEC,
  SHARE_PASSWORD_MAX,
  SHARE_PASSWORD_MIN,
  VIEWER_TOKEN_MAX_LIFE_SEC,
} from './limits.ts'
import { type VIEWER_ABILITIES, ViewerAbility, ViewerBody } from './reviews.ts'
import { about, wordsOf } from './schema.ts'

const LINK_MIN_SEC = 60

const LifeSec = about(
  Type.Integer({ minimum: LINK_MIN_SEC, maximum: VIEWER_TOKEN_MAX_LIFE_SEC }),
  'How many seconds the link works.',
  { default: SHARE_DEFAULT_SEC },
)

/** Body of `POST /review-links`: the claims of a viewer token, for a tenant that signs none. */
export const ReviewLinkRequest = named(
  'ReviewLinkRequest',
  Type.Object(
    {
      recording_id: Type.Optional(about(Uuid, 'The recording that it opens.')),
      room_id: Type.Optional(about(Uuid, 'The room whose recordings it opens.')),
      reference: Type.String({
        minLength: 1,
        maxLength: EXTERNAL_REF_MAX,
        pattern: PLAIN,
        description: 'Your reference to the person, as `sub` of a viewer token.',
      }),
      name: about(text(255), 'The name that stands beside their comments and clips.'),
      may: Type.Array(ViewerAbility, {
        minItems: 1,
        uniqueItems: true,
        description: 'What the person may do.',
      }),
      watermark: Type.Optional(
        about(
          Type.Boolean(),
          'Whether the name is drawn over every video. Such a link cannot allow to `download`, because the file has no mark.',
          { default: false },
        ),
      ),
      expires_in_seconds: Type.Optional(LifeSec),
    },
    {
      additionalProperties: false,
      oneOf: [{ required: ['recording_id'] }, { required: ['room_id'] }],
      description: 'Who reviews what. One of `recording_id` and `room_id`.',
    },
  ),
)
export type ReviewLinkRequest = Static<typeof ReviewLinkRequest>

export const ReviewLinkBody = named(
  'ReviewLink',
  Type.Object(
    {
      url: string(
        'Address of the review room. It needs no other credential: treat it as a secret.',
      ),
      token: string('The viewer token in the address, for pages of your own.'),
      jti: string('Id of the token, by which it can be revoked.'),
      expires_at: dateTime('When the link stops working.'),
    },
    { description: 'A link to the review room.' },
  ),
)
export type ReviewLinkBody = Static<typeof ReviewLinkBody>

const SHARED_ABILITIES = [
  'watch',
  'comment',
  'download',
] as const satisfies readonly (typeof VIEWER_ABILITIES)[number][]
export const SharedAbility = wordsOf('SharedAbility', SHARED_ABILITIES, {
  about: 'Something that a link allows.',
  watch: 'Watch, and read the transcript and the timeline.',
  comment: 'Read and write comments, for people who give a name.',
  download: 'Download the file.',
})

/** Body of `POST /recordings/{recording_id}/shares`. */
export const ShareRequest = named(
  'ShareRequest',
  Type.Object(
    {
      clip_id: Type.Optional(
        nullable(Uuid, 'The clip that it opens. Null or absent: all of the recording.'),
      ),
      reel_id: Type.Optional(
        nullable(Uuid, 'The reel that it opens, in place of a clip. It shows the recording, too.'),
      ),
      may: Type.Optional(
        Type.Array(SharedAbility, {
          minItems: 1,
          uniqueItems: true,
          description:
            'What everybody with the link may do, out of what the viewer may who makes it; by default `watch`. A clip or reel can only be watched.',
        }),
      ),
      expires_in_seconds: Type.Optional(LifeSec),
      password: Type.Optional(
        nullable(
          text(SHARE_PASSWORD_MAX, SHARE_PASSWORD_MIN),
          'Asked for before it opens. Null or absent: none.',
        ),
      ),
    },
    { additionalProperties: false, description: 'What to share, and with which limits.' },
  ),
)
export type ShareRequest = Static<typeof ShareRequest>

export const ShareBody = named(
  'Share',
  Type.Object(
    {
      id: uuid('Id of the link.'),
      recording_id: uuid('Id of the recording.'),
      clip_id: nullable(Uuid, 'Id of the clip, if it opens one.'),
      reel_id: nullable(Uuid, 'Id of the reel, if it opens one.'),
      url: string('The link. Everybody who has it can open it, so treat it as a secret.'),
      may: Type.Array(SharedAbility, { description: 'What everybody with the link may do.' }),
      has_password: Type.Boolean({ description: 'Whether it asks for a password.' }),
      viewer: nullable(ViewerBody, 'Who made it. Null when it was made with an API key.'),
      views: Type.Integer({ description: 'How often it was opened.' }),
      last_viewed_at: nullable(DateTime, 'When it was last opened. Null before the first time.'),
      created_at: dateTime('When it was made.'),
      expires_at: dateTime('When it stops working, if not before.'),
      revoked_at: nullable(DateTime, 'When it was revoked. Null before that.'),
    },
    { description: 'A link to a recording or a clip that can be given to anybody.' },
  ),
)
export type ShareBody = Static<typeof ShareBody>

/** Body of `POST /shares/{share_id}/open`. */
export const ShareOpening = nullable(
  named(
    'ShareOpening',
    Type.Object(
      {
        name: Type.Optional(
          about(text(255), 'The name that stands beside comments. Without it, nobody can comment.'),
        ),
        password: Type.Optional(about(text(SHARE_PASSWORD_MAX), 'The password of the link.')),
      },
      { additionalProperties: false, description: 'Who opens a link.' },
    ),
  ),
)
export type ShareOpening = Static<typeof ShareOpening>

export const OpenedShareBody = named(
  'OpenedShare',
  Type.Object(
    {
      recording_id: uuid('Id of the recording.'),
      clip_id: nullable(Uuid, 'Id of the clip, if it opens one.'),
      reel_id: nullable(Uuid, 'Id of the reel, if it opens one.'),
      token: string('A viewer token for what the link opens.'),
      expires_at: dateTime('When the token expires. Open the link again before that.'),
    },
    { description: 'What a link opens.' },
  ),
)
export type OpenedShareBody = Static<typeof OpenedShareBody>
