import { BOARD_OPERATIONS } from './operations/board.ts'
import { CONNECTION_TEST_OPERATIONS } from './operations/connection-tests.ts'
import { HANDOUT_OPERATIONS } from './operations/handouts.ts'
import { LIVE_OPERATIONS } from './operations/live.ts'
import { LIVE_CHAT_OPERATIONS } from './operations/live-chat.ts'
import { LIVE_MODERATION_OPERATIONS } from './operations/live-moderation.ts'
import { LIVE_RECORDING_OPERATIONS } from './operations/live-recording.ts'
import type { Operations } from './operations/operation.ts'
import { PUBLIC_OPERATIONS } from './operations/public.ts'
import {
  PROCESSED_RECORDING_OPERATIONS,
  RECORDING_OPERATIONS,
  TRANSCRIPTION_OPERATIONS,
} from './operations/recordings.ts'
import { IN_ROOM_OPERATIONS, ROOM_OPERATIONS } from './operations/rooms.ts'
import { SESSION_OPERATIONS } from './operations/sessions.ts'

/** The tags of the API description, in its order. */
export const TAGS = {
  Sessions: 'A booked time slot of a Room.',
  Rooms: 'Where an interview takes place. Booked together with its Session.',
  Participants: 'Who has been let into a Room, and who is banned.',
  EntryHistory: 'When who entered and left, and with which device.',
  Chat: 'What was written in a Room.',
  RoomEvent: 'The log of a Room.',
  Recordings: 'What was recorded, as a file behind signed URLs.',
  ProcessedRecording: 'A trimmed or otherwise edited version of a Recording.',
  Transcriptions: 'What was said, as WebVTT.',
  Handouts: 'Pictures and videos that a moderator shows.',
  ConnectionTests: 'Measurements of a browser and its line.',
  'Participant plane': 'What the page of a Room calls. No API key opens it.',
  Board: 'What the page of the operators calls. A link of the operator plane opens it.',
  Public: 'Health and public keys. Not enveloped.',
} as const

/** Everything that the API description tells, under `/api/v1`. */
export const OPERATIONS: Operations = {
  ...SESSION_OPERATIONS,
  ...ROOM_OPERATIONS,
  ...IN_ROOM_OPERATIONS,
  ...RECORDING_OPERATIONS,
  ...PROCESSED_RECORDING_OPERATIONS,
  ...TRANSCRIPTION_OPERATIONS,
  ...HANDOUT_OPERATIONS,
  ...CONNECTION_TEST_OPERATIONS,
  ...LIVE_OPERATIONS,
  ...LIVE_CHAT_OPERATIONS,
  ...LIVE_MODERATION_OPERATIONS,
  ...LIVE_RECORDING_OPERATIONS,
  ...BOARD_OPERATIONS,
  ...PUBLIC_OPERATIONS,
}
