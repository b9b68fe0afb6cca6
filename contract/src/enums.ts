import { Type } from 'typebox'
import { about, named, wordsOf } from './schema.ts'
import * as words from './vocabulary.ts'

/** The word lists of the contract as schemas, with a name for each list and a meaning for each word. */

export const RoomKind = wordsOf('RoomKind', words.ROOM_KINDS, {
  about: 'What a room is for.',
  interview: 'A booked interview, with a session.',
  connection_test: 'Belongs to a connection test. It has no session.',
})

export const RoomStatus = wordsOf('RoomStatus', words.ROOM_STATUSES, {
  about: 'Whether a room accepts entries.',
  open: 'People may enter during the time window of the session.',
  closed: 'Closed permanently. Its data stays readable.',
})

export const SessionStatus = wordsOf('SessionStatus', words.SESSION_STATUSES, {
  about: 'Derived from the time of the request; never stored.',
  scheduled: 'More than 30 minutes before `starts_at`.',
  active: 'From 30 minutes before `starts_at` to 30 minutes after `ends_at`, both inclusive.',
  closed: 'The room is closed, or the time window is over.',
  cancelled: 'Cancelled, or closed before `starts_at` without any entry.',
})

export const ArchiveMode = wordsOf('ArchiveMode', words.ARCHIVE_MODES, {
  about: 'When a room is recorded.',
  always:
    'Recording starts with the first audio or video that a moderator or panelist publishes. A panelist who declines the recording cannot enter.',
  manual:
    'A moderator starts the recording. A panelist who comes while it runs sends no audio or video before they agree to be recorded.',
})

export const ArchiveResolution = wordsOf('ArchiveResolution', words.ARCHIVE_RESOLUTIONS, {
  about: 'Resolution of the recorded video, in pixels.',
  '640x480': 'Standard definition.',
  '1280x720': 'High definition.',
})

export const StreamResolution = wordsOf('StreamResolution', words.STREAM_RESOLUTIONS, {
  about: 'Resolution that each camera publishes, in pixels.',
  '320x240': 'Lowest bandwidth.',
  '640x480': 'Standard definition.',
  '1280x720': 'High definition.',
})

export const StreamFrameRate = named(
  'StreamFrameRate',
  about(
    Type.Unsafe<words.StreamFrameRate>({ type: 'integer', enum: [...words.STREAM_FRAME_RATES] }),
    'Frames per second that each camera publishes.',
  ),
)

export const LiveTextAudience = wordsOf('LiveTextAudience', words.LIVE_TEXT_AUDIENCES, {
  about: 'Who may read what is said while it is said.',
  off: 'Nobody. Nothing is sent to an engine.',
  staff: 'Moderators, observers and operators. Panelists never learn of the text.',
  everyone: 'Everyone in the room.',
})

export const TranscriptionEngine = wordsOf('TranscriptionEngine', words.TRANSCRIPTION_ENGINES, {
  about: 'The engine that transcribes. The operator binds each name to a vendor.',
  engine_a: 'Available for new use.',
  engine_b: 'Available for new use.',
  engine_c: 'The default.',
  engine_d: 'Deprecated; still works. Choose another one.',
  engine_e: 'Deprecated; still works. Choose another one.',
})

export const Role = wordsOf('Role', words.ROLES, {
  about: 'What a person does in a room.',
  moderator: 'Leads the interview and controls the room. Seen and heard.',
  observer: "Watches for the tenant's client. Hidden from panelists.",
  panelist: 'Is interviewed. Seen and heard.',
  platform_observer: 'An operator of the service. Hidden from panelists.',
})

export const ParticipantStatus = wordsOf('ParticipantStatus', words.PARTICIPANT_STATUSES, {
  about: 'Whether a participant may enter.',
  active: 'May enter.',
  banned: 'Cannot enter this room again, in any role.',
})

export const Locale = wordsOf('Locale', words.LOCALES, {
  about: 'Language of a page.',
  ja: 'Japanese.',
  en: 'English.',
})

export const Visibility = wordsOf('Visibility', words.VISIBILITIES, {
  about: 'Who receives a chat message.',
  public: 'Everyone in the room.',
  private: 'Moderators, observers and operators; no panelist.',
  observer_only: 'Observers and operators.',
})

export const ChatContentType = wordsOf('ChatContentType', words.CHAT_CONTENT_TYPES, {
  about: 'What a chat message contains.',
  text: 'Text.',
  stamp: 'A predefined reaction; `text` is its identifier.',
  archive_status: 'Written by the service when a recording starts, pauses or stops.',
  file: 'A file; `text` is its caption.',
})

export const RecordingStatus = wordsOf('RecordingStatus', words.RECORDING_STATUSES, {
  about: 'Where a recording stands. It never moves backwards, except between started and paused.',
  started: 'Recording.',
  paused: 'Paused. Nothing is recorded until it resumes.',
  stopped: 'Ended. The file is not ready yet.',
  uploaded: 'The file is written and being verified in the storage.',
  available: 'The file can be downloaded.',
  expired: 'The retention period is over and the file is deleted.',
  failed: 'There is no file.',
})

export const OutputMode = wordsOf('OutputMode', words.OUTPUT_MODES, {
  about: 'What a recording contains.',
  composed: 'One MP4 file with everyone in one video.',
  individual: 'One ZIP file with an MP4 file for each moderator and panelist.',
})

export const ProcessedSource = wordsOf('ProcessedSource', words.PROCESSED_SOURCES, {
  about: 'Where a processed recording comes from.',
  trim: 'The service cuts a range from the recording.',
  upload: 'You upload a file of your own.',
})

export const ProcessedStatus = wordsOf('ProcessedStatus', words.PROCESSED_STATUSES, {
  about: 'Where a processed recording stands.',
  pending: 'A trim is queued, or an upload is not completed yet.',
  processing: 'A trim is running.',
  available: 'The file can be downloaded.',
  failed: 'The trim failed. Delete it to start another one.',
})

export const ClipStatus = wordsOf('ClipStatus', words.CLIP_STATUSES, {
  about: 'Where a clip or a reel stands.',
  pending: 'It is queued, or being made.',
  available: 'The file can be downloaded.',
  failed: 'It could not be made. Create another one.',
})

export const TranscriptionStatus = wordsOf('TranscriptionStatus', words.TRANSCRIPTION_STATUSES, {
  about: 'Where a transcription stands.',
  sending_request: 'Being sent to the engine.',
  processing: 'The engine is working.',
  retrying: 'A temporary failure. The service submits it again.',
  done: 'The result can be downloaded.',
  error: 'The engine accepted it and failed.',
  request_error: 'The engine did not accept it.',
})

export const TranscriptionKind = wordsOf('TranscriptionKind', words.TRANSCRIPTION_KINDS, {
  about: 'What the result contains.',
  transcription: 'The spoken language.',
  translation: 'An English translation.',
})

export const HandoutContentType = wordsOf('HandoutContentType', words.HANDOUT_CONTENT_TYPES, {
  about: 'Kind of a handout.',
  image: 'jpg, jpeg, gif, png, bmp or tiff.',
  video: 'mp4 or mov.',
})

export const ConnectionTestStatus = wordsOf(
  'ConnectionTestStatus',
  words.CONNECTION_TEST_STATUSES,
  {
    about: 'Where a connection test stands.',
    pending: 'The respondent has not started it.',
    running: 'The page is measuring.',
    completed: 'All measurements are there.',
    failed: 'It ended without a complete measurement; `failure_reason` says why.',
    expired: '`expires_at` passed, or the page was silent for five minutes.',
  },
)

export const ConnectionTestResult = wordsOf(
  'ConnectionTestResult',
  ['completed', 'failed'] as const,
  {
    about: 'How a connection test ended.',
    completed: 'All measurements are there.',
    failed: 'It ended without a complete measurement.',
  },
)

export const ConnectionTestFailure = wordsOf(
  'ConnectionTestFailure',
  words.CONNECTION_TEST_FAILURES,
  {
    about: 'Why a connection test failed.',
    permission_denied: 'The person or the browser refused the camera or microphone.',
    no_device: 'The camera or microphone is missing, in use or broken.',
    unsupported_browser: 'The browser cannot hold a video call.',
    signaling_failed: 'The browser did not reach the media server within 8 seconds.',
    media_failed: 'The media server answered, but no audio or video got through.',
    aborted_by_user: 'The page was closed or reloaded.',
    timed_out: 'The test took longer than 90 seconds.',
    internal: 'An unexpected error.',
  },
)

export const DeviceResult = wordsOf('DeviceResult', words.DEVICE_RESULTS, {
  about: 'Result of the check of one device.',
  ok: 'Works.',
  denied: 'The person or the browser refused access.',
  not_found: 'There is no such device.',
  in_use: 'Another program uses it.',
  failed: 'It does not work.',
  not_tested: 'Not checked.',
})

export const ConnectionWarning = wordsOf('ConnectionWarning', words.CONNECTION_WARNINGS, {
  about: 'What stood out in a measurement. A warning is not a judgement.',
  relay_only: 'Media went through a relay (TURN).',
  tcp_only: 'Media went over TCP or TLS, because UDP did not work.',
  high_loss: 'Packet loss above 3 %.',
  high_rtt: 'Round-trip time above 300 ms.',
  high_jitter: 'Jitter above 50 ms.',
  low_uplink: 'Upload bandwidth below 200 kbps.',
  cpu_limited: 'The processor limited the published video.',
})
