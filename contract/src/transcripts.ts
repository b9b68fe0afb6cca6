import { type Static, Type } from 'typebox'
import { Role, TranscriptionKind } from './enums.ts'
import {
  about,
  dateTime,
  named,
  nullable,
  PageQuery,
  string,
  text,
  Uuid,
  uuid,
} from './envelope.ts'
import { TRANSCRIPT_LINE_MAX, TRANSCRIPT_LINES_MAX, TRANSCRIPT_SEARCH_MAX } from './limits.ts'
import { wordsOf } from './schema.ts'

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

/** The widest time that WebVTT writes with two digits of hours. */
const SECONDS_MAX = 100 * 3600 - 1
const Seconds = Type.Number({ minimum: 0, maximum: SECONDS_MAX })

const TranscriptLineRequest = named(
  'TranscriptLineRequest',
  Type.Object(
    {
      start_sec: about(Seconds, 'Start in the recording, in seconds.'),
      end_sec: about(Seconds, 'End in the recording, in seconds. Not before `start_sec`.'),
      text: about(
        text(TRANSCRIPT_LINE_MAX),
        'What is said. A line with nothing but spaces is left out.',
      ),
      participant_id: Type.Optional(
        nullable(
          Uuid,
          'The person who speaks: a participant of the room. Name and role are those of the person.',
        ),
      ),
      speaker: Type.Optional(
        nullable(text(255), 'Name of the voice. Counts only without a `participant_id`.'),
      ),
    },
    { additionalProperties: false, description: 'A line of a corrected transcript.' },
  ),
)
export type TranscriptLineRequest = Static<typeof TranscriptLineRequest>

/** Body of `PUT /transcriptions/{transcription_id}/revisions`. */
export const TranscriptRevisionRequest = named(
  'TranscriptRevisionRequest',
  Type.Object(
    {
      lines: Type.Array(TranscriptLineRequest, {
        maxItems: TRANSCRIPT_LINES_MAX,
        description:
          'All lines of the transcript, also those that stay. A line that does not fit into a cue becomes several.',
      }),
    },
    { additionalProperties: false, description: 'A corrected transcript.' },
  ),
)
export type TranscriptRevisionRequest = Static<typeof TranscriptRevisionRequest>

const REVISION_AUTHORS = ['engine', 'api_key', 'viewer'] as const
export type RevisionAuthor = (typeof REVISION_AUTHORS)[number]
const RevisionAuthorKind = wordsOf('RevisionAuthorKind', REVISION_AUTHORS, {
  about: 'Who made a revision of a transcript.',
  engine: 'The engine. `reference` is its name.',
  api_key: 'Your backend. `reference` is the id of the key.',
  viewer: 'A person. `reference` and `name` are `sub` and `name` of their viewer token.',
})

const TranscriptRevision = named(
  'TranscriptRevision',
  Type.Object(
    {
      revision: Type.Integer({ minimum: 0, description: 'Number of the revision.' }),
      author_kind: about(RevisionAuthorKind, 'Who made it.'),
      author_reference: string('Name of the engine, id of the API key, or `sub` of the viewer.'),
      author_name: nullable(Type.String(), 'Name of the viewer, as it was then. Null for others.'),
      created_at: dateTime('When the revision was made.'),
    },
    { description: 'A revision of a transcript.' },
  ),
)

export const TranscriptRevisionsBody = named(
  'TranscriptRevisions',
  Type.Object(
    {
      transcription_id: uuid('Id of the transcription.'),
      revisions: Type.Array(about(TranscriptRevision, 'A revision.'), {
        description: 'Newest first. The ETag is the number of the first one, in quotes.',
      }),
      lines: Type.Array(about(TranscriptLine, 'A line.'), {
        description: 'Lines of the newest revision, in order of their starts.',
      }),
    },
    { description: 'The revisions of a transcript, with the lines of the newest one.' },
  ),
)
export type TranscriptRevisionsBody = Static<typeof TranscriptRevisionsBody>

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

/** 200 answer of `GET /recordings/{recording_id}/live-transcript`. */
export const RecordingLiveTranscript = named(
  'RecordingLiveTranscript',
  Type.Object(
    {
      recording_id: uuid('Id of the recording.'),
      revision: Type.Literal('live', {
        description: 'Always `live`: it comes before every revision of a transcription.',
      }),
      language: nullable(
        Type.String(),
        'Language of the lines, as a BCP 47 code. Null if there are none.',
      ),
      lines: Type.Array(about(TranscriptLine, 'A line.'), {
        description: 'In order of their starts.',
      }),
    },
    { description: 'What live text wrote while a recording was made.' },
  ),
)
export type RecordingLiveTranscript = Static<typeof RecordingLiveTranscript>

/** The files that a transcript can become. */
export const TRANSCRIPT_FORMATS = ['docx', 'csv', 'txt', 'srt', 'vtt'] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

const TranscriptFormatWord = wordsOf('TranscriptFormat', TRANSCRIPT_FORMATS, {
  about: 'The format of a transcript.',
  docx: 'A document for Word, with a paragraph for each line.',
  csv: 'A table with the columns `speaker`, `start`, `end` and `text`.',
  txt: 'Text, with one line of the transcript in each line: `[00:12:34] Hanako: …`.',
  srt: 'SubRip captions.',
  vtt: 'WebVTT.',
})

export const SPEAKER_LABELS = ['name', 'role'] as const
export type SpeakerLabel = (typeof SPEAKER_LABELS)[number]

const SpeakerLabelWord = wordsOf('SpeakerLabel', SPEAKER_LABELS, {
  about: 'How an export says who speaks.',
  name: 'By name, as in the room.',
  role: 'By role, so that no name stands beside a line. A voice whose role is unknown has none.',
})

export const TranscriptExportQuery = Type.Object(
  {
    format: Type.Optional(about(TranscriptFormatWord, 'Which file.', { default: 'vtt' })),
    speakers: Type.Optional(
      about(SpeakerLabelWord, 'How the file says who speaks.', { default: 'name' }),
    ),
  },
  { additionalProperties: false },
)

/** Something besides spaces. */
export const SEARCHED = '^[^\\x00]*[^\\s\\x00][^\\x00]*$'

export const TranscriptSearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: TRANSCRIPT_SEARCH_MAX,
      pattern: SEARCHED,
      description:
        'Words that stand in a line one after the other. Case and width (`Ａ`, `A`) do not matter.',
      examples: ['表示'],
    }),
    room_id: Type.Optional(uuid('Recordings of this room only.')),
    recording_id: Type.Optional(uuid('This recording only.')),
    ...PageQuery,
  },
  { additionalProperties: false },
)

export const TranscriptHitBody = named(
  'TranscriptHit',
  Type.Object(
    {
      recording_id: uuid('Id of the recording.'),
      room_id: uuid('Id of the room.'),
      transcription_id: uuid('Id of the transcription.'),
      language: string('Language of the recording, as a BCP 47 code.'),
      kind: TranscriptionKind,
      line: about(TranscriptLine, 'The line.'),
    },
    { description: 'A line of a transcript that has the words of a search.' },
  ),
)
export type TranscriptHitBody = Static<typeof TranscriptHitBody>
