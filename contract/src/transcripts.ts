import { type Static, Type } from 'typebox'
import { Role } from './enums.ts'
import { about, dateTime, named, nullable, string, Uuid, uuid } from './envelope.ts'

export const WordsQuery = Type.Object(
  {
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Which revision. By default the newest one; 0 is what the engine wrote.',
      }),
    ),
  },
  { additionalProperties: false },
)

const second = (description: string) => Type.Number({ minimum: 0, description })

const voice = {
  participant_id: nullable(
    Uuid,
    'The person who speaks. Null if unknown, and on the simple route.',
  ),
  speaker: nullable(
    Type.String(),
    'Name of the person as entered, or what the engine calls the voice. Null if unknown.',
  ),
  role: nullable(Role, 'Role of the person. Null if unknown.'),
}

const TranscriptLine = named(
  'TranscriptLine',
  Type.Object(
    {
      start_sec: second('Start in the recording, in seconds.'),
      end_sec: second('End in the recording, in seconds.'),
      text: string('What is said, with the spaces of its language.'),
      ...voice,
    },
    { description: 'A line of a transcript: a cue of its WebVTT.' },
  ),
)
export type TranscriptLine = Static<typeof TranscriptLine>

const TranscriptWord = named(
  'TranscriptWord',
  Type.Object(
    {
      text: string(
        'The word, with the space before it in languages that have spaces. A whole line, if the engine gives no times of words.',
      ),
      start_sec: second('Start in the recording, in seconds.'),
      end_sec: second('End in the recording, in seconds.'),
      ...voice,
      confidence: nullable(
        Type.Number({ minimum: 0, maximum: 1 }),
        'How sure the engine is. Null if it does not say.',
      ),
    },
    { description: 'A word of a transcript.' },
  ),
)
export type TranscriptWord = Static<typeof TranscriptWord>

export const TranscriptionWordsBody = named(
  'TranscriptionWords',
  Type.Object(
    {
      transcription_id: uuid('Id of the transcription.'),
      revision: Type.Integer({ minimum: 0, description: 'Number of the revision.' }),
      created_at: dateTime('When the revision was made.'),
      words: Type.Array(about(TranscriptWord, 'A word.'), {
        description:
          'In order of their starts. People who speak at the same time have overlapping words.',
      }),
    },
    { description: 'The words of a transcript.' },
  ),
)
export type TranscriptionWordsBody = Static<typeof TranscriptionWordsBody>
