import { type Static, Type } from 'typebox'
import { Role } from './enums.ts'
import { dateTime, listOf, named, nullable, string, Uuid, uuid } from './envelope.ts'
import { RECORDING_GAP_MIN_SEC } from './limits.ts'
import { wordsOf } from './schema.ts'

const GAP_REASONS = [
  'late_start',
  'recorder_failed',
  'storage_failed',
  'no_media',
  'encrypted',
  'codec_unsupported',
] as const
export type GapReason = (typeof GAP_REASONS)[number]

const GapReason = wordsOf('RecordingGapReason', GAP_REASONS, {
  about: 'Why something is missing in a recording. New words may be added.',
  late_start: 'Recording began later than it was requested.',
  recorder_failed: 'The recorder stopped writing, or what it wrote was lost.',
  storage_failed: 'The storage did not take what was recorded.',
  no_media:
    'Nothing arrived of a microphone or camera that was switched on, as when a connection breaks. The rest of the person is in the recording.',
  encrypted:
    'The client sent video or audio that only other participants can decrypt (end-to-end encryption). The rest of the person is in the recording.',
  codec_unsupported:
    'The client sent video or audio in a codec that is not recorded, such as VP9. The rest of the person is in the recording.',
})

const seconds = (description: string) => Type.Number({ minimum: 0, description })

const RecordingGap = named(
  'RecordingGap',
  Type.Object(
    {
      started_at: dateTime('Since when the person is missing.'),
      ended_at: dateTime('Until when.'),
      duration_sec: seconds('Length in seconds.'),
      reason: GapReason,
    },
    {
      description: `A stretch of at least ${RECORDING_GAP_MIN_SEC} seconds in which a person should be recorded and is not, or not with all that they send.`,
    },
  ),
)

const RecordedPersonBody = named(
  'RecordedPerson',
  Type.Object(
    {
      participant_id: nullable(Uuid, 'The participant. Null on the simple route.'),
      role: Role,
      display_name: string('Name as entered.'),
      expected_sec: seconds(
        'How long the person was present with a track while the recording was started and not paused.',
      ),
      actual_sec: seconds('How much of that is in the recording, with all that the person sent.'),
      gaps: Type.Array(RecordingGap, { description: 'What is missing, oldest first.' }),
      short_gaps_sec: seconds(
        `How much is missing in gaps under ${RECORDING_GAP_MIN_SEC} seconds, which are not listed, such as at the start and after each resume.`,
      ),
    },
    { description: 'How much of one person is in a recording.' },
  ),
)

export const RecordingCompletenessBody = named(
  'RecordingCompleteness',
  Type.Object(
    {
      recording_id: uuid('Id of the recording.'),
      is_complete: nullable(
        Type.Boolean(),
        'Whether nothing is missing. Null while the recording is not finished, and for recordings of former versions.',
      ),
      missing_sec: seconds('How long at least one person is missing.'),
      people: Type.Array(RecordedPersonBody, {
        description: 'Moderators and panelists who should be in it, in the order of their entry.',
      }),
    },
    { description: 'What a recording should contain, and what it does.' },
  ),
)
export type RecordingCompletenessBody = Static<typeof RecordingCompletenessBody>

const offset = Type.Number({
  minimum: 0,
  description: 'Where it is in the recording, in seconds from the start of the file.',
})

const TimelineItem = named(
  'TimelineItem',
  Type.Object(
    {
      type: string('Type of the room event, such as `marker` or `handout.show`.'),
      at: dateTime('When it happened.'),
      offset_sec: offset,
      payload: nullable(
        Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
        'Data of the room event. Null when there are none.',
      ),
    },
    { description: 'A room event, placed in a recording.' },
  ),
)
export type TimelineItem = Static<typeof TimelineItem>

const TimelineSegment = named(
  'TimelineSegment',
  Type.Object(
    {
      started_at: dateTime('When recording began.'),
      ended_at: dateTime('When it ended, or until when it is recorded by now.'),
      offset_sec: offset,
    },
    { description: 'A stretch that was recorded without a break.' },
  ),
)

export const RecordingTimelineBody = named(
  'RecordingTimeline',
  Type.Object(
    {
      segments: Type.Array(TimelineSegment, { description: 'What was recorded, oldest first.' }),
      ...listOf(TimelineItem).properties,
    },
    { description: 'What happened when in a recording: one page of its items.' },
  ),
)
export type RecordingTimelineBody = Static<typeof RecordingTimelineBody>
