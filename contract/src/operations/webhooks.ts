import type { WebhookData, WebhookEnvelope, WebhookType } from '../webhooks.ts'
import { CLIP, REEL } from './samples-of-reviews.ts'
import { CONNECTION_TEST, ENTRY, PARTICIPANT, RECORDING, SESSION } from './samples.ts'

interface Webhook {
  summary: string
  /** When it is sent, and what to do with it. */
  description: string
  example: WebhookEnvelope
}

const PLACE = {
  room_id: SESSION.room.id,
  session_id: SESSION.id,
  session_external_ref: {
    external_type: SESSION.external_type,
    external_id: SESSION.external_id,
  },
}

function webhook<T extends WebhookType>(
  type: T,
  [summary, description]: readonly [summary: string, description: string],
  data: WebhookData[T],
): Webhook {
  const example = {
    id: 'evt_019a30835c117f209e4b0d2a7b6c8f31',
    version: '1',
    type,
    occurred_at: '2030-11-21T00:57:14.310Z',
    data,
  } as const
  return { summary, description, example }
}

/** The webhooks of a tenant, with an example of each. */
export const WEBHOOKS: Readonly<Record<WebhookType, Webhook>> = {
  'participant.entered': webhook(
    'participant.entered',
    [
      'A person entered a room',
      'Sent once for each row of the entry history, when the media connection begins. There is no webhook for leaving; read the entry history.',
    ],
    {
      ...PLACE,
      participant: {
        id: PARTICIPANT.id,
        role: 'panelist',
        display_name: PARTICIPANT.display_name,
        external_type: PARTICIPANT.external_type,
        external_id: PARTICIPANT.external_id,
      },
      entry_history_id: ENTRY.id,
      entered_at: ENTRY.entered_at,
    },
  ),
  'recording.status_changed': webhook(
    'recording.status_changed',
    [
      'A recording changed its status',
      'Sent for each status. Download the file when `status` is `available`; alert someone when it is `failed`.',
    ],
    {
      recording_id: RECORDING.id,
      ...PLACE,
      status: 'available',
      previous_status: 'uploaded',
      failure_reason: null,
    },
  ),
  'connection_test.completed': webhook(
    'connection_test.completed',
    [
      'A connection test completed or failed',
      'Sent once for each test with a result. A test that expires sends nothing.',
    ],
    {
      connection_test_id: CONNECTION_TEST.id,
      room_id: CONNECTION_TEST.room_id,
      external_ref: { external_type: 'User', external_id: '90210' },
      status: 'completed',
      summary: CONNECTION_TEST.summary,
      failure_reason: null,
      started_at: CONNECTION_TEST.started_at,
      completed_at: '2030-11-20T04:00:31.000Z',
    },
  ),
  'transcription.completed': webhook(
    'transcription.completed',
    [
      'A transcription is done or failed',
      'Sent once, when `status` is final. Get the transcription for the result.',
    ],
    {
      transcription_id: '019a30bd-62e8-7b19-9d3a-6c4f1ea0d532',
      recording_id: RECORDING.id,
      ...PLACE,
      status: 'done',
      language: 'ja-JP',
      failure_reason: null,
    },
  ),
  'processed_recording.status_changed': webhook(
    'processed_recording.status_changed',
    [
      'A processed recording became available or failed',
      'Sent when a trim ends, and when an upload is completed.',
    ],
    {
      processed_recording_id: '019a30c4-11f3-7a6c-8e5d-90fe3b6a7d15',
      recording_id: RECORDING.id,
      room_id: PLACE.room_id,
      session_external_ref: PLACE.session_external_ref,
      source: 'upload',
      status: 'available',
      previous_status: 'pending',
      failure_reason: null,
    },
  ),
  'clip.status_changed': webhook(
    'clip.status_changed',
    [
      'A clip became available or failed',
      'Extension. Sent once, when the clip was made or could not be made.',
    ],
    {
      clip_id: CLIP.id,
      recording_id: CLIP.recording_id,
      room_id: PLACE.room_id,
      session_external_ref: PLACE.session_external_ref,
      status: 'available',
      failure_reason: null,
    },
  ),
  'reel.status_changed': webhook(
    'reel.status_changed',
    [
      'A reel became available or failed',
      'Extension. Sent once, when the reel was made or could not be made.',
    ],
    {
      reel_id: REEL.id,
      room_id: PLACE.room_id,
      session_external_ref: PLACE.session_external_ref,
      status: 'available',
      failure_reason: null,
    },
  ),
  'webhook.test': webhook(
    'webhook.test',
    [
      'A test of your endpoint',
      'Sent only when you or the operator test the endpoint, or by a trigger of a sandbox. Answer 2xx and ignore it.',
    ],
    { message: 'This is a test.' },
  ),
}
