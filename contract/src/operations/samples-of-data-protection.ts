import type { ErasureBody, ExportedRoomBody, LegalHoldBody } from '../data-protection.ts'
import type { RetentionBody } from '../retention.ts'
import { ENTRY, MESSAGE, PARTICIPANT, RECORDING, ROOM, ROOM_EVENT } from './samples.ts'

// Data protection in the examples of the API description.

export const ERASURE: ErasureBody = {
  id: '0196f0c2-1f5e-7c7a-9a61-0c6f2f1d8e01',
  state: 'pending',
  subject: '9f2c1d7a5b3e4f608192a3b4c5d6e7f80918273645546372819a0bc1d2e3f405',
  recordings: 'delete',
  requested_at: '2030-11-21T06:00:00.000Z',
  requested_by: 'key_5f0c2a9be1d34c7788aa01bc',
  waits_until: null,
  removed: {
    participants: 0,
    entries: 0,
    admissions: 0,
    room_events: 0,
    chat_messages: 0,
    live_texts: 0,
    recordings: 0,
    processed_recordings: 0,
    clips: 0,
    transcriptions: 0,
    connection_tests: 0,
    events: 0,
  },
  remains: [],
  finished_at: null,
  receipt: null,
  previous_erasure_id: null,
}

export const LEGAL_HOLD: LegalHoldBody = {
  id: '0196f0c2-5a10-7b1e-8d43-7d1f0a9b2c02',
  room_id: ROOM.id,
  external_type: null,
  external_id: null,
  reason: 'Case 2030-117',
  created_at: '2030-11-21T06:00:00.000Z',
}

export const EXPORTED_ROOM: ExportedRoomBody = {
  room_id: ROOM.id,
  participants: [PARTICIPANT],
  entries: [ENTRY],
  admissions: [
    {
      role: ENTRY.role,
      display_name: ENTRY.name,
      token_id: null,
      browser_name: ENTRY.browser_name,
      browser_version: ENTRY.browser_version,
      platform_name: ENTRY.platform_name,
      platform_version: ENTRY.platform_version,
      ip_address: ENTRY.ip_address,
      admitted_at: ENTRY.entered_at,
    },
  ],
  chat_messages: [MESSAGE],
  room_events: [ROOM_EVENT],
  live_texts: [],
  recording_ids: [RECORDING.id],
  connection_test: null,
}

export const RETENTION: RetentionBody = {
  recordings_days: 90,
  chat_days: null,
  handouts_days: 30,
  recordings_days_max: 365,
}
