/** The numbers of the contract ("Limits" of both parts) that code on both sides of a boundary needs. */

export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 20

export const SLOT_MAX_SEC = 24 * 60 * 60
/** Entry is possible from this long before `starts_at` until this long after `ends_at`. */
export const WINDOW_MARGIN_SEC = 30 * 60
/** What a media room may stand empty beyond the rest of its slot. */
export const MEDIA_ROOM_SLACK_SEC = 35 * 60

export const EXTERNAL_REF_MAX = 64
export const SESSION_NAME_MAX = 255
export const DISPLAY_NAME_MAX = 255
export const LANGUAGE_CODE_MAX = 16
export const BAN_REASON_MAX = 255
export const CLOSE_REASON_MAX = 255

export const PARTICIPANT_TOKEN_MAX_CHARS = 4096
export const PARTICIPANT_TOKEN_MAX_LIFE_SEC = 25 * 60 * 60
export const ROOM_TICKET_LIFE_SEC = 15 * 60
export const MEDIA_TOKEN_LIFE_SEC = 10 * 60

export const DEFAULT_LANGUAGE = 'ja-JP'
export const DEFAULT_ENGINE = 'engine_c'
/** Languages shared by room creation, room update and transcription start, in canonical spelling. */
export const TRANSCRIPTION_LANGUAGES = [
  'ja-JP',
  'en-US',
  'zh-CN',
  'zh-TW',
  'ko-KR',
  'th-TH',
  'vi-VN',
] as const
