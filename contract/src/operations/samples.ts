import type { ChatMessageBody } from '../chat.ts'
import type { ConnectionTestBody, LastConnectionTest } from '../connection-tests.ts'
import type { HandoutBody } from '../handouts.ts'
import type { EntryHistoryBody, ParticipantBody } from '../participants.ts'
import type { QuestionBody } from '../questions.ts'
import type { RecordingCompletenessBody, RecordingTimelineBody } from '../recording-reports.ts'
import type { ProcessedRecordingBody, RecordingBody, TranscriptionBody } from '../recordings.ts'
import type { RoomEventBody } from '../room-events.ts'
import type { RoomBody, RoomOverviewBody, SessionBody } from '../rooms.ts'

// One interview in the examples of the API description.

const SESSION_ID = '019a2f6e-0d31-7c52-9a4e-3b8f0e6d1c20'
const ROOM_ID = '019a2f6e-0d31-7c51-8f02-77c1d9b4e210'
const PARTICIPANT_ID = '019a3083-5ad0-7e11-b0c4-1f9f6a2ce701'
const RECORDING_ID = '019a3083-9b2f-7d40-a1c2-5be07fd2a9c4'
const CONNECT_URL = `https://interviews.example.com/r/${ROOM_ID}`
const BOOKED_AT = '2030-11-20T03:12:45.120Z'
const STARTED_AT = '2030-11-21T02:02:12.004Z'
const STARTS_AT = '2030-11-21T01:00:00.000Z'
const ENDS_AT = '2030-11-21T02:00:00.000Z'

export const SESSION: SessionBody = {
  id: SESSION_ID,
  external_type: 'Slot',
  external_id: '48213',
  name: 'Instant coffee, women 30 to 39',
  access_token: 'k3mWQ0m0yWJ2m3mXc8v7b7f6t1Z4Yb5n9aDq2sLx0eU',
  starts_at: STARTS_AT,
  ends_at: ENDS_AT,
  status: 'scheduled',
  room: { id: ROOM_ID, session_id: SESSION_ID, connect_url: CONNECT_URL },
  created_at: BOOKED_AT,
}

export const ROOM: RoomBody = {
  id: ROOM_ID,
  kind: 'interview',
  status: 'open',
  archive_mode: 'always',
  archive_resolution: '640x480',
  transcription_language: 'ja-JP',
  transcription_service: 'engine_c',
  transcription_failover: null,
  live_text: null,
  session: {
    id: SESSION_ID,
    external_type: 'Slot',
    external_id: '48213',
    starts_at: STARTS_AT,
    ends_at: ENDS_AT,
    status: 'scheduled',
  },
  stream_resolution: '320x240',
  stream_frame_rate: 15,
  connect_url: CONNECT_URL,
  provider_inspector_url: null,
  created_at: BOOKED_AT,
}

export const ROOM_OVERVIEW: RoomOverviewBody = {
  id: ROOM_ID,
  status: 'open',
  archive_mode: 'always',
  session: {
    id: SESSION_ID,
    name: 'Instant coffee, women 30 to 39',
    external_type: 'Slot',
    external_id: '48213',
    starts_at: STARTS_AT,
    ends_at: ENDS_AT,
    status: 'active',
  },
  connect_url: CONNECT_URL,
  people_present: 2,
  entries: 3,
  recording_status: 'started',
  created_at: BOOKED_AT,
}

export const PARTICIPANT: ParticipantBody = {
  id: PARTICIPANT_ID,
  room_id: ROOM_ID,
  role: 'panelist',
  display_name: 'P-07',
  external_type: 'User',
  external_id: '90210',
  status: 'active',
  banned_at: null,
  created_at: '2030-11-21T00:57:12.016Z',
}

export const ENTRY: EntryHistoryBody = {
  id: 7201,
  room_id: ROOM_ID,
  participant_id: PARTICIPANT_ID,
  name: 'P-07',
  role: 'panelist',
  browser_name: 'Chrome',
  browser_version: '142.0.0.0',
  platform_name: 'Windows',
  platform_version: '11',
  ip_address: '203.0.113.24',
  entered_at: '2030-11-21T00:57:14.310Z',
  left_at: '2030-11-21T02:01:40.002Z',
  duration_sec: 3865,
}

export const MESSAGE: ChatMessageBody = {
  id: '8a4b8a0c-7f0f-4d6a-9f07-2d0b5a9b6f11',
  visibility: 'private',
  participant_id: PARTICIPANT_ID,
  sender_name: 'Client A',
  content_type: 'file',
  text: 'The new label',
  attachment: {
    url: 'https://storage.example.com/attachments/8f2c?signature=3a7e',
    name: 'label.png',
    mime: 'image/png',
    size: 183204,
  },
  created_at: '2030-11-21T01:14:03.551Z',
}

export const ROOM_EVENT: RoomEventBody = {
  id: 15502,
  room_id: ROOM_ID,
  event_type: 'participant.banned',
  payload: { participant_id: PARTICIPANT_ID, reason: 'Shared confidential material' },
  created_at: '2030-11-21T01:20:31.708Z',
}

export const RECORDING: RecordingBody = {
  id: RECORDING_ID,
  room_id: ROOM_ID,
  provider_archive_id: 'EG_7Tz2wJYqkK4d',
  status: 'available',
  output_mode: 'composed',
  size: 184320512,
  duration_sec: 3604.52,
  created_at: '2030-11-21T01:00:02.114Z',
  updated_at: '2030-11-21T02:02:11.870Z',
}

export const COMPLETENESS: RecordingCompletenessBody = {
  recording_id: RECORDING_ID,
  is_complete: false,
  missing_sec: 9.4,
  people: [
    {
      participant_id: PARTICIPANT_ID,
      role: 'panelist',
      display_name: 'P-07',
      expected_sec: 3600,
      actual_sec: 3590.6,
      gaps: [
        {
          started_at: '2030-11-21T01:20:10.000Z',
          ended_at: '2030-11-21T01:20:19.400Z',
          duration_sec: 9.4,
          reason: 'recorder_failed',
        },
      ],
      short_gaps_sec: 0,
    },
  ],
}

export const TIMELINE: RecordingTimelineBody = {
  segments: [
    {
      started_at: '2030-11-21T01:00:04.000Z',
      ended_at: '2030-11-21T01:20:10.000Z',
      offset_sec: 0,
    },
  ],
  items: [
    {
      type: 'marker',
      at: '2030-11-21T01:10:04.500Z',
      offset_sec: 600.5,
      payload: { note: 'First reaction to the label' },
    },
  ],
  next_cursor: null,
  has_more: false,
}

export const DOWNLOAD_URL = {
  url: 'https://storage.example.com/recordings/019a3083?signature=9c1d',
  expires_at: '2030-11-21T04:00:00.000Z',
}

export const PROCESSED_RECORDING: ProcessedRecordingBody = {
  id: '019a30c4-11f3-7a6c-8e5d-90fe3b6a7d15',
  recording_id: RECORDING_ID,
  source: 'upload',
  trim_start_sec: null,
  trim_end_sec: null,
  status: 'pending',
  size: null,
  duration_sec: null,
  failure_reason: null,
  created_at: '2030-11-21T03:10:00.000Z',
  updated_at: '2030-11-21T03:10:00.000Z',
}

export const TRANSCRIPTION: TranscriptionBody = {
  id: '019a30bd-62e8-7b19-9d3a-6c4f1ea0d532',
  recording_id: RECORDING_ID,
  room_id: ROOM_ID,
  provider: 'engine_c',
  provider_transcription_id: null,
  status: 'sending_request',
  language: 'ja-JP',
  kind: 'transcription',
  attempts: [{ engine: 'engine_c', started_at: STARTED_AT, ended_at: null, failure_reason: null }],
  result_url: null,
  sent_sec: null,
  created_at: STARTED_AT,
  updated_at: STARTED_AT,
}

export const HANDOUT: HandoutBody = {
  id: '019a2f71-4c0b-7f3e-8d19-2a6b5c7e9f01',
  session_id: SESSION_ID,
  external_type: 'ProjectHandout',
  external_id: '377',
  file_name: 'package-front.png',
  title: 'Package, front',
  file_url: 'https://storage.example.com/handouts/019a2f71?signature=77ab',
  content_type: 'image',
  sort: 0,
  created_at: '2030-11-20T03:20:00.000Z',
}

/** A voice measured in one direction. */
const VOICE = {
  bitrate_kbps: 40,
  packet_loss_ratio: 0.001,
  rtt_ms: 18,
  jitter_ms: 3,
  frame_rate: null,
  width: null,
  height: null,
  freeze_count: 0,
  limited_by_cpu_sec: 0,
  limited_by_bandwidth_sec: 0,
}
const PICTURE = { ...VOICE, bitrate_kbps: 520, frame_rate: 15, width: 640, height: 480 }

export const CONNECTION_TEST: ConnectionTestBody = {
  id: '019a2f80-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
  room_id: '019a2f80-0a1b-7c2d-8e3f-5b6c7d8e9fa0',
  external_type: 'User',
  external_id: '90210',
  name: 'P-07',
  status: 'completed',
  connect_url:
    'https://interviews.example.com/t/019a2f80-0a1b-7c2d-8e3f-4a5b6c7d8e9f#ticket=8Jx1vJm3dW0kq2cYtq7nJ0bqv0mV3cG8yFQb7f6m1bE',
  expires_at: '2030-11-21T03:00:00.000Z',
  started_at: '2030-11-20T04:00:00.000Z',
  completed_at: '2030-11-20T04:00:31.000Z',
  measured_sec: 20,
  client: {
    browser_name: 'Chrome',
    browser_version: '142.0.0.0',
    platform_name: 'Windows',
    platform_version: '11',
    is_mobile: false,
  },
  devices: { camera: 'ok', microphone: 'ok', speaker: 'ok' },
  baseline: {
    signaling: { connected: true, connect_ms: 84 },
    media: { connected: true, connect_ms: 212, protocol: 'udp', candidate_type: 'host' },
    rtt_ms: { avg: 18, max: 41 },
    jitter_ms: { avg: 3, max: 9 },
  },
  load: {
    uplink: { audio: VOICE, video: PICTURE },
    downlink: { audio: VOICE, video: PICTURE },
    downlink_tcp: { connected: true, connect_ms: 640, audio: null, video: null },
    available_outgoing_kbps: 2400,
  },
  summary: {
    audio: { mos: 4.39 },
    video: {
      recommended_resolution: '1280x720',
      recommended_frame_rate: 30,
      limitation: null,
    },
    packet_loss_ratio: 0.001,
    rtt_ms: 18,
    jitter_ms: 3,
    uplink_kbps: 2400,
    downlink_kbps: 5200,
    warnings: [],
  },
  failure_reason: null,
  provider_inspector_url: null,
  recordings: [],
  created_at: '2030-11-20T03:00:00.000Z',
}

export const LAST_TEST: LastConnectionTest = {
  status: 'completed',
  completed_at: '2030-11-20T09:31:07.412Z',
  failure_reason: null,
  mos: 4.31,
  recommended_resolution: '640x480',
  recommended_frame_rate: 15,
  warnings: ['high_jitter'],
}

export const QUESTION: QuestionBody = {
  id: '0193a5f0-5f2a-7c33-9d53-6c1f20a4b7e1',
  text: 'Would she buy it at this price?',
  status: 'open',
  participant_id: PARTICIPANT.id,
  display_name: 'Observer',
  created_at: '2030-11-21T01:20:31.708Z',
}
