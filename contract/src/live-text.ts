import { type Static, Type } from 'typebox'
import {
  AfterQuery,
  boolean,
  dateTime,
  named,
  nullable,
  PageQuery,
  string,
  Uuid,
} from './envelope.ts'

const SPOKEN = {
  participant_id: nullable(Uuid, 'Who speaks. Null on the simple route.'),
  identity: string('Identity of that person in the roster. On the simple route the only one.'),
  segment: string(
    'Id of the utterance. Texts of an utterance replace each other until one is final; its translations have the same id.',
  ),
  text: string('What was said.'),
  language: string('Language of the text, as a BCP 47 code.'),
  is_translation: boolean('Whether the text is a translation.'),
}

/** A text of somebody who speaks now. */
export const CaptionBody = named(
  'Caption',
  Type.Object(
    {
      ...SPOKEN,
      text: string('What was said so far. Empty when there is nothing left to show.'),
      final: boolean(
        'Whether this text is the last one of its segment. Ignore a text of a segment that is final.',
      ),
    },
    { description: 'What somebody is saying.' },
  ),
)
export type CaptionBody = Static<typeof CaptionBody>

/** The setting of the tenant has changed, and with it what this reader may read. */
export const LiveTextChange = named(
  'LiveTextChange',
  Type.Object(
    { has_live_text: boolean('Whether you may read what is said while it is said.') },
    { description: 'You may now read what is said while it is said, or no longer.' },
  ),
)

/** A final text. */
export const LiveTextBody = named(
  'LiveText',
  Type.Object(
    {
      ...SPOKEN,
      display_name: string('Name of the person who spoke.'),
      started_at: dateTime('When the utterance began.'),
      ended_at: dateTime('When it ended.'),
    },
    { description: 'What somebody has said.' },
  ),
)
export type LiveTextBody = Static<typeof LiveTextBody>

export const LiveTextsQuery = Type.Object(
  { ...AfterQuery, limit: PageQuery.limit },
  { additionalProperties: false },
)

/** 200 answer of `GET /rooms/{room_id}/live-transcript` and of `GET /rooms/{room_id}/live/transcript`. */
export const LiveTranscript = named(
  'LiveTranscript',
  Type.Object(
    {
      items: Type.Array(LiveTextBody, { description: 'The texts, oldest first.' }),
      cursor: string('Send it as `after` to get what follows.'),
      has_more: boolean('Whether there is more already.'),
    },
    { description: 'What was said in a room.' },
  ),
)
export type LiveTranscript = Static<typeof LiveTranscript>
