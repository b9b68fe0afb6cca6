import { type Static, Type } from 'typebox'
import { ClipStatus } from './enums.ts'
import { dateTime, LongInteger, named, nullable, text, Uuid, uuid } from './envelope.ts'
import { CLIP_TITLE_MAX, REEL_CARD_SEC, REEL_CLIPS_MAX } from './limits.ts'
import { ViewerBody } from './reviews.ts'
import { about, wordsOf } from './schema.ts'

/** How the words of a reel are shown. */
export const REEL_CAPTIONS = ['burnt', 'track', 'none'] as const
export type ReelCaptions = (typeof REEL_CAPTIONS)[number]

const CaptionsWord = wordsOf('ReelCaptions', REEL_CAPTIONS, {
  about: 'How a reel shows what is said.',
  burnt: 'In the picture.',
  track: 'In a track of the file that a player shows or hides.',
  none: 'Not at all.',
})

const CARD = `Text of a picture of ${REEL_CARD_SEC} seconds at the beginning. Null`

/** Body of `POST /rooms/{room_id}/reels`. */
export const ReelRequest = named(
  'ReelRequest',
  Type.Object(
    {
      clip_ids: Type.Array(Uuid, {
        minItems: 1,
        maxItems: REEL_CLIPS_MAX,
        uniqueItems: true,
        description: 'Available clips of recordings of the room, in their order in the reel.',
      }),
      title: Type.Optional(
        nullable(
          text(CLIP_TITLE_MAX),
          'What the reel shows, in one line. Null or absent: no title.',
        ),
      ),
      title_card: Type.Optional(nullable(text(CLIP_TITLE_MAX), `${CARD} or absent: none.`)),
      captions: Type.Optional(
        about(
          CaptionsWord,
          'How the lines of the newest transcription of each recording are shown. Anything but `none` needs one of each.',
          { default: 'none' },
        ),
      ),
    },
    { additionalProperties: false, description: 'Which clips to put together.' },
  ),
)
export type ReelRequest = Static<typeof ReelRequest>

export const ReelBody = named(
  'Reel',
  Type.Object(
    {
      id: uuid('Id of the reel.'),
      room_id: uuid('Id of the room.'),
      recording_ids: Type.Array(Uuid, { description: 'The recordings that it shows.' }),
      clip_ids: Type.Array(Uuid, {
        description: 'The clips that it was made of, in their order. They may be deleted since.',
      }),
      title: nullable(Type.String(), 'What the reel shows. Null when no title was given.'),
      title_card: nullable(Type.String(), `${CARD}: none.`),
      captions: CaptionsWord,
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
        'Why it failed, with the words of a clip. Null unless `status` is `failed`. New words may be added.',
      ),
      created_at: dateTime('When it was created.'),
      updated_at: dateTime('When it last changed.'),
    },
    { description: 'Clips of a room one after the other, as one file.' },
  ),
)
export type ReelBody = Static<typeof ReelBody>
