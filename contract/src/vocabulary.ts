/** The closed word lists of the API contract. Every enum of a body, a column or a page comes from here. */

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
