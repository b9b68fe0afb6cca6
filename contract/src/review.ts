import { type Static, Type } from 'typebox'
import { EntrySession } from './admission-check.ts'
import { BrandingBody } from './branding.ts'
import { ClipBody } from './clips.ts'
import { OutputMode, ProcessedStatus, RecordingStatus, Role } from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  LongInteger,
  named,
  nullable,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { ReelBody } from './reels.ts'
import { ViewerAbility, ViewerBody } from './reviews.ts'
import { wordsOf } from './schema.ts'

/** The files of a recording that can be played: as recorded, or the processed one. */
export const PLAYED_VERSIONS = ['recorded', 'processed'] as const

const PlayedVersion = wordsOf('PlayedVersion', PLAYED_VERSIONS, {
  about: 'A file of a recording.',
  recorded: 'The recording.',
  processed: 'The trimmed or uploaded version of it.',
})

export const PlaybackQuery = Type.Object(
  {
    version: Type.Optional(about(PlayedVersion, 'Which file to play.', { default: 'recorded' })),
  },
  { additionalProperties: false },
)

/** The contents of an export: everything of a recording, or one table. */
export const EXPORT_CONTENTS = ['all', 'comments', 'markers', 'clips'] as const
export type ExportContent = (typeof EXPORT_CONTENTS)[number]

const ExportContentWord = wordsOf('ExportContent', EXPORT_CONTENTS, {
  about: 'The content of an export.',
  all: 'A ZIP with the file, the transcripts, the tables, the timeline and the activity.',
  comments: 'The comments as CSV. A viewer needs `comment`, too.',
  markers: 'The markers as CSV.',
  clips: 'The clips as CSV. A viewer needs `clip`, too.',
})

export const ExportQuery = Type.Object(
  { content: Type.Optional(about(ExportContentWord, 'What to export.', { default: 'all' })) },
  { additionalProperties: false },
)

export const PlaybackBody = named(
  'RecordingPlayback',
  Type.Object(
    {
      url: string(
        'Address of the file for a player. It takes range requests and needs no other credential.',
      ),
      expires_at: dateTime('When the address stops working. Request another one before that.'),
      mime: string('Media type of the file, such as `video/mp4`.'),
      size: nullable(LongInteger, 'Size of the file in bytes.'),
      duration_sec: nullable(Type.Number(), 'Length of the file in seconds. Null when unknown.'),
    },
    { description: 'A file that can be played now.' },
  ),
)
export type PlaybackBody = Static<typeof PlaybackBody>

const ReviewedRecording = named(
  'ReviewedRecording',
  Type.Object(
    {
      id: uuid('Id of the recording.'),
      status: RecordingStatus,
      output_mode: OutputMode,
      started_at: dateTime('When the recording started.'),
      duration_sec: nullable(
        Type.Number(),
        'Length of the file in seconds. Null until there is a file.',
      ),
      estimated_available_at: nullable(
        DateTime,
        'When the file is likely to be there. Null when that is not known.',
      ),
      processed: nullable(
        Type.Object(
          {
            status: ProcessedStatus,
            trim_start_sec: nullable(
              Type.Number(),
              'Start of the range in the recording, in seconds. Null for an upload.',
            ),
            trim_end_sec: nullable(
              Type.Number(),
              'End of the range in the recording, in seconds. Null for an upload.',
            ),
          },
          { description: 'The processed recording.' },
        ),
        'The trimmed or uploaded version. Null when there is none.',
      ),
    },
    { description: 'A recording that a viewer token opens.' },
  ),
)

export const ReviewBody = named(
  'Review',
  Type.Object(
    {
      viewer: about(ViewerBody, 'The person of the token.'),
      may: Type.Array(ViewerAbility, { description: 'What the token allows.' }),
      expires_at: dateTime('When the token expires.'),
      room_id: uuid('Id of the room.'),
      session: nullable(EntrySession, 'The slot. Null when the room has no session.'),
      recordings: Type.Array(ReviewedRecording, {
        description:
          'The recording of the token, or all recordings of its room, oldest first. Deleted ones are left out.',
      }),
      clip: nullable(
        ClipBody,
        'The clip of a link that opens only this clip; then `recordings` is empty. Null otherwise.',
      ),
      reel: nullable(
        ReelBody,
        'The reel of a link that opens only this reel; then `recordings` is empty. Null otherwise.',
      ),
      watermark: nullable(
        Type.String(),
        'The name that the page draws over every video, and that is in clips and reels that are made. Null without `watermark`.',
      ),
      transcription_languages: Type.Array(Type.String(), {
        description: 'Languages in which a recording can be transcribed, as BCP 47 codes.',
      }),
      branding: BrandingBody,
    },
    { description: 'What a viewer token opens.' },
  ),
)
export type ReviewBody = Static<typeof ReviewBody>

const second = (description: string) => Type.Number({ minimum: 0, description })

const ActivePerson = named(
  'ActivePerson',
  Type.Object(
    {
      participant_id: nullable(Uuid, 'The participant. Null on the simple route.'),
      role: Role,
      display_name: string('Name as entered.'),
      speech: Type.Array(
        Type.Object(
          {
            start_sec: second('Start in the file, in seconds.'),
            end_sec: second('End in the file, in seconds.'),
          },
          { description: 'A stretch of speech.' },
        ),
        { description: 'When the person speaks, in order. Breaks below a second are no breaks.' },
      ),
      levels: Type.Array(Type.Integer({ minimum: 0, maximum: 127 }), {
        description:
          'The loudest sound of each second of the file, in dB above silence: 127 is full scale, 0 is silence.',
      }),
    },
    { description: 'When one person speaks.' },
  ),
)

export const RecordingActivityBody = named(
  'RecordingActivity',
  Type.Object(
    {
      recording_id: uuid('Id of the recording.'),
      people: Type.Array(ActivePerson, {
        description: 'Moderators, then panelists, each by their first entry.',
      }),
    },
    { description: 'Who speaks when in a recording.' },
  ),
)
export type RecordingActivityBody = Static<typeof RecordingActivityBody>
