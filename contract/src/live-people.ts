import { type Static, Type } from 'typebox'
import {
  about,
  boolean,
  freeText,
  KEPT_CHARACTERS,
  named,
  nullable,
  string,
  uuid,
} from './envelope.ts'
import { RATING_COMMENT_MAX, RATING_SCORE_MAX } from './limits.ts'

/** Answer of `POST .../live/participants/{participant_id}/remove`. */
export const RemovalBody = named(
  'Removal',
  Type.Object(
    {
      participant_id: string('Id of the participant, or `identity` of a visitor or a guest.'),
      status: Type.Literal('removed', { description: 'Always `removed`.' }),
    },
    { description: 'The person is disconnected, and may enter again.' },
  ),
)
export type RemovalBody = Static<typeof RemovalBody>

/** Answer of `POST .../live/mute-all`. */
export const MuteAllBody = named(
  'MuteAll',
  Type.Object(
    {
      identities: Type.Array(Type.String(), {
        description: 'Whom it muted, by their identities in the roster.',
      }),
      status: Type.Literal('mute_requested', { description: 'Always `mute_requested`.' }),
    },
    { description: 'Everyone else is muted, or their pages have been asked to mute.' },
  ),
)
export type MuteAllBody = Static<typeof MuteAllBody>

/** Answer of `POST .../live/participants/{participant_id}/lower-hand` and `POST .../live/lower-hands`. */
export const LoweredHandsBody = named(
  'LoweredHands',
  Type.Object(
    {
      identities: Type.Array(Type.String(), {
        description: 'Whose hand it lowered. Empty when none was raised.',
      }),
    },
    { description: 'The hands that were lowered.' },
  ),
)
export type LoweredHandsBody = Static<typeof LoweredHandsBody>

/** Answer of `POST .../live/participants/{participant_id}/screen/allow` and `.../screen/withdraw`. */
export const ScreenPermissionBody = named(
  'ScreenPermission',
  Type.Object(
    {
      participant_id: uuid('Id of the participant.'),
      may_share_screen: boolean('Whether the panelist may share the screen.'),
    },
    { description: 'Whether a panelist may share the screen.' },
  ),
)
export type ScreenPermissionBody = Static<typeof ScreenPermissionBody>

const ON_STAGE = 'Identity of the person whom everyone sees large. Null when there is none.'

/** Identity of the person on the large tile, in events and snapshots of the room stream. */
export const SpotlightIdentity = nullable(Type.String(), ON_STAGE)

/** The person on everyone's large tile. It is also the answer of the operations that change it. */
export const SpotlightBody = named(
  'Spotlight',
  Type.Object(
    { identity: SpotlightIdentity },
    { description: 'Whom everyone in the room sees large.' },
  ),
)
export type SpotlightBody = Static<typeof SpotlightBody>

/** Body of `POST .../live/rating`. */
export const RatingRequest = named(
  'RatingRequest',
  Type.Object(
    {
      score: Type.Integer({
        minimum: 1,
        maximum: RATING_SCORE_MAX,
        description: 'From 1 (poor) to 5 (very good).',
      }),
      comment: Type.Optional(
        about(
          freeText(RATING_COMMENT_MAX, 0),
          `What the person writes beside it. ${KEPT_CHARACTERS}`,
        ),
      ),
    },
    { additionalProperties: false, description: 'How the person rates the interview.' },
  ),
)
export type RatingRequest = Static<typeof RatingRequest>

/** The first rating of the person in this room. Later ones do not count. */
export const RatingBody = named(
  'Rating',
  Type.Object(
    {
      score: Type.Integer({ description: 'From 1 (poor) to 5 (very good).' }),
      comment: nullable(Type.String(), 'What the person wrote beside it. Null when nothing.'),
    },
    { description: 'The rating that the log of the room has.' },
  ),
)
export type RatingBody = Static<typeof RatingBody>
