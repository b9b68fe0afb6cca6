/** The closed word lists of the API contract. Every enum in a body, a column or a page comes from here. */

export const ROOM_KINDS = ['interview', 'connection_test'] as const
export type RoomKind = (typeof ROOM_KINDS)[number]

export const ROOM_STATUSES = ['open', 'closed'] as const
export type RoomStatus = (typeof ROOM_STATUSES)[number]

export const SESSION_STATUSES = ['scheduled', 'active', 'closed', 'cancelled'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

export const ARCHIVE_MODES = ['always', 'manual'] as const
export type ArchiveMode = (typeof ARCHIVE_MODES)[number]

export const ARCHIVE_RESOLUTIONS = ['640x480', '1280x720'] as const
export type ArchiveResolution = (typeof ARCHIVE_RESOLUTIONS)[number]

export const STREAM_RESOLUTIONS = ['320x240', '640x480', '1280x720'] as const
export type StreamResolution = (typeof STREAM_RESOLUTIONS)[number]

export const STREAM_FRAME_RATES = [30, 15, 7, 1] as const
export type StreamFrameRate = (typeof STREAM_FRAME_RATES)[number]

export const TRANSCRIPTION_ENGINES = [
  'engine_a',
  'engine_b',
  'engine_c',
  'engine_d',
  'engine_e',
] as const
export type TranscriptionEngine = (typeof TRANSCRIPTION_ENGINES)[number]

export const ROLES = ['moderator', 'observer', 'panelist', 'platform_observer'] as const
export type Role = (typeof ROLES)[number]

export const PARTICIPANT_STATUSES = ['active', 'banned'] as const
export type ParticipantStatus = (typeof PARTICIPANT_STATUSES)[number]

export const LOCALES = ['ja', 'en'] as const
export type Locale = (typeof LOCALES)[number]

export const VISIBILITIES = ['public', 'private', 'observer_only'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export const CHAT_CONTENT_TYPES = ['text', 'stamp', 'archive_status', 'file'] as const
export type ChatContentType = (typeof CHAT_CONTENT_TYPES)[number]

export const RECORDING_STATUSES = [
  'started',
  'paused',
  'stopped',
  'uploaded',
  'available',
  'expired',
  'failed',
] as const
export type RecordingStatus = (typeof RECORDING_STATUSES)[number]

export const OUTPUT_MODES = ['composed', 'individual'] as const
export type OutputMode = (typeof OUTPUT_MODES)[number]

export const PROCESSED_SOURCES = ['trim', 'upload'] as const
export type ProcessedSource = (typeof PROCESSED_SOURCES)[number]

export const PROCESSED_STATUSES = ['pending', 'processing', 'available', 'failed'] as const
export type ProcessedStatus = (typeof PROCESSED_STATUSES)[number]

export const CLIP_STATUSES = ['pending', 'available', 'failed'] as const
export type ClipStatus = (typeof CLIP_STATUSES)[number]

export const TRANSCRIPTION_STATUSES = [
  'sending_request',
  'processing',
  'retrying',
  'done',
  'error',
  'request_error',
] as const
export type TranscriptionStatus = (typeof TRANSCRIPTION_STATUSES)[number]

export const TRANSCRIPTION_KINDS = ['transcription', 'translation'] as const
export type TranscriptionKind = (typeof TRANSCRIPTION_KINDS)[number]

export const HANDOUT_CONTENT_TYPES = ['image', 'video'] as const
export type HandoutContentType = (typeof HANDOUT_CONTENT_TYPES)[number]

export const CONNECTION_TEST_STATUSES = [
  'pending',
  'running',
  'completed',
  'failed',
  'expired',
] as const
export type ConnectionTestStatus = (typeof CONNECTION_TEST_STATUSES)[number]

export const CONNECTION_TEST_FAILURES = [
  'permission_denied',
  'no_device',
  'unsupported_browser',
  'signaling_failed',
  'media_failed',
  'aborted_by_user',
  'timed_out',
  'internal',
] as const
export type ConnectionTestFailure = (typeof CONNECTION_TEST_FAILURES)[number]

/** Reasons of a failed recording. */
export const RECORDING_FAILURES = [
  'start_timeout',
  'provider_failed',
  'provider_aborted',
  'storage_missing',
  'upload_failed',
  'internal',
] as const
export type RecordingFailure = (typeof RECORDING_FAILURES)[number]

/** Reasons of a transcription that ended without a result. */
export const TRANSCRIPTION_FAILURES = [
  'unsupported_audio',
  'language_not_supported',
  'translation_not_supported',
  'engine_not_configured',
  'vendor_rejected',
  'vendor_unavailable',
  'quota_exceeded',
  'timed_out',
  'result_invalid',
  'internal',
] as const
export type TranscriptionFailure = (typeof TRANSCRIPTION_FAILURES)[number]

/** Reasons of a failed trim, for a processed recording or a clip. */
export const TRIM_FAILURES = [
  'source_missing',
  'source_unreadable',
  'storage_unavailable',
  'timed_out',
  'internal',
] as const

export const DEVICE_RESULTS = [
  'ok',
  'denied',
  'not_found',
  'in_use',
  'failed',
  'not_tested',
] as const
export type DeviceResult = (typeof DEVICE_RESULTS)[number]

export const CONNECTION_WARNINGS = [
  'relay_only',
  'tcp_only',
  'high_loss',
  'high_rtt',
  'high_jitter',
  'low_uplink',
  'cpu_limited',
] as const
export type ConnectionWarning = (typeof CONNECTION_WARNINGS)[number]

/** Readers of what is said while it is said, from nobody to everyone. */
export const LIVE_TEXT_AUDIENCES = ['off', 'staff', 'everyone'] as const
export type LiveTextAudience = (typeof LIVE_TEXT_AUDIENCES)[number]

/**
 * The purposes that people consent to: being recorded, being watched by people they cannot see, and having their words written
 * down while they speak.
 */
export const CONSENT_PURPOSES = ['recording', 'observation', 'transcription'] as const
export type ConsentPurpose = (typeof CONSENT_PURPOSES)[number]

export const CONSENT_ANSWERS = ['given', 'declined', 'withdrawn'] as const
export type ConsentAnswer = (typeof CONSENT_ANSWERS)[number]

/**
 * `not_asked`: the person is not asked, and nothing depends on it. `obtained`: the tenant has obtained the consent
 * elsewhere.
 */
export const CONSENT_STATES = [
  'not_asked',
  'obtained',
  'pending',
  'given',
  'declined',
  'withdrawn',
] as const
export type ConsentState = (typeof CONSENT_STATES)[number]

/** The states of a question for the moderator. */
export const QUESTION_STATUSES = ['open', 'asked', 'later', 'done'] as const
export type QuestionStatus = (typeof QUESTION_STATUSES)[number]
