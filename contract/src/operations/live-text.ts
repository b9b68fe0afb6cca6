import { LiveTextsQuery, LiveTranscript } from '../live-text.ts'
import { RecordingLiveTranscript } from '../transcripts.ts'
import { operation } from './operation.ts'
import { FollowQuery, RecordingParams, RoomParams } from './params.ts'
import { ADMISSION_REFUSALS } from './refusals.ts'
import { PARTICIPANT, RECORDING } from './samples.ts'

const TRANSCRIPT = {
  items: [
    {
      participant_id: PARTICIPANT.id,
      identity: PARTICIPANT.id,
      display_name: 'P-07',
      segment: '0f6b1c1e-3d0e-4d83-9a55-0d1d0d5c2f10-4',
      text: '朝はいつもコーヒーを飲みます。',
      language: 'ja-JP',
      is_translation: false,
      started_at: '2030-11-21T01:12:10.120Z',
      ended_at: '2030-11-21T01:12:12.480Z',
    },
  ],
  cursor: '5mJ0c2VhbGVk',
  has_more: false,
}

export const listLiveTexts = operation({
  id: 'listLiveTexts',
  method: 'GET',
  path: '/rooms/{room_id}/live-transcript',
  plane: 'control',
  tag: 'Extensions',
  summary: 'List the live texts of a room',
  description:
    'Returns every final text of a room with live text, oldest first, also while observers may not read it, and after live text was turned off. To follow an interview, repeat it with the `cursor` of the answer before: the last page has one, too. A cursor of another room is refused. Texts are kept for 30 days, and what an erased person said is gone.',
  params: RoomParams,
  query: LiveTextsQuery,
  answers: { 200: LiveTranscript },
  example: { answer: TRANSCRIPT },
})

export const getRecordingLiveTranscript = operation({
  id: 'getRecordingLiveTranscript',
  method: 'GET',
  path: '/recordings/{recording_id}/live-transcript',
  plane: 'control',
  viewerMay: 'watch',
  tag: 'Extensions',
  summary: 'Get the live transcript of a recording',
  description:
    'Returns what live text wrote while the recording was made, as lines of a transcript. Use it until a transcription of the recording is `done`. Times are those of the file. A text that is not completely recorded, as one that goes on in a pause, is left out, and so are translations. Without live text there are no lines, nor 30 days after the interview, nor once the recording has expired. The access log notes it. A viewer token that may `watch` works in place of the API key.',
  params: RecordingParams,
  answers: { 200: RecordingLiveTranscript },
  hasNoHead: true,
  example: {
    answer: {
      recording_id: RECORDING.id,
      revision: 'live',
      language: 'ja-JP',
      lines: [
        {
          start_sec: 130.12,
          end_sec: 132.48,
          text: '朝はいつもコーヒーを飲みます。',
          participant_id: PARTICIPANT.id,
          speaker: 'P-07',
          role: 'panelist',
        },
      ],
    },
  },
})

export const readLiveTranscript = operation({
  id: 'readLiveTranscript',
  method: 'GET',
  path: '/rooms/{room_id}/live/transcript',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Read what was said in a room',
  description:
    'The final texts of a room with live text, oldest first, at most 200. Use it when the page opens, and again when the stream was interrupted; new texts arrive on the room stream as `caption`. For moderators, observers and operators, and for panelists where `live_text` of the room is `everyone`; others get an empty list. Texts are kept for 30 days.',
  params: RoomParams,
  query: FollowQuery,
  answers: { 200: LiveTranscript },
  refusals: ADMISSION_REFUSALS,
  example: { answer: TRANSCRIPT },
})
