/** The numbers of the contract ("Limits" of both parts) that both sides of a boundary need. */

export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 20
/** Rooms on a page of a data export. Each one comes with all data of the person in it. */
export const EXPORT_ROOMS_MAX = 20

export const SLOT_MAX_SEC = 24 * 60 * 60
/** People can enter from this long before `starts_at` until this long after `ends_at`. */
export const WINDOW_MARGIN_SEC = 30 * 60
/** How long present participants may stay after the end of the window, with a notice. */
export const WINDOW_NOTICE_SEC = 60
/** How long a media room may stay empty in addition to the rest of its slot. */
export const MEDIA_ROOM_SLACK_SEC = 35 * 60

export const EXTERNAL_REF_MAX = 64
export const SESSION_NAME_MAX = 255
export const DISPLAY_NAME_MAX = 255
export const LANGUAGE_CODE_MAX = 16
export const BAN_REASON_MAX = 255
export const CLOSE_REASON_MAX = 1000
export const LEGAL_HOLD_REASON_MAX = 500
/** Days of a retention rule. */
export const RETENTION_DAYS_MAX = 3650
/** How long before a deletion retention gives notice. A shorter rule gives notice for its whole length. */
export const RETENTION_NOTICE_DAYS = 7
/** Characters of the text that panelists read before they answer, and of its version. */
export const CONSENT_TEXT_MAX = 500
export const CONSENT_VERSION_MAX = 64
/** The best score of an interview's rating, and characters of its comment. */
export const RATING_SCORE_MAX = 5
export const RATING_COMMENT_MAX = 1000
/** Characters of a question for the moderator. */
export const QUESTION_TEXT_MAX = 500
/** Questions that one person may add in any minute. */
export const QUESTIONS_PER_MIN = 20

export const PARTICIPANT_TOKEN_MAX_CHARS = 4096
export const PARTICIPANT_TOKEN_MAX_LIFE_SEC = 25 * 60 * 60
/** Characters of the `jti` of a viewer token. */
export const VIEWER_TOKEN_ID_MAX = 128
export const VIEWER_TOKEN_MAX_LIFE_SEC = 30 * 24 * 60 * 60
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

export const IDEMPOTENCY_KEY_MAX = 255

/** Validity of a signed download URL, in seconds. */
export const DOWNLOAD_URL_MIN_SEC = 60
export const DOWNLOAD_URL_MAX_SEC = 10_800
export const DOWNLOAD_URL_DEFAULT_SEC = 3600
export const RESULT_URL_LIFE_SEC = 3600
/** The longest life of a signed URL that a viewer gets. */
export const VIEWER_URL_MAX_SEC = 300

/** Far longer than any recording. An offset into a recording and its length are plain numbers below it. */
export const RECORDING_LENGTH_MAX_SEC = 1_000_000
export const PROCESSED_UPLOAD_MAX_BYTES = 5 * 1024 ** 3

export const HANDOUT_IMAGE_EXTENSIONS = ['jpg', 'jpeg', 'gif', 'png', 'bmp', 'tiff'] as const
export const HANDOUT_VIDEO_EXTENSIONS = ['mp4', 'mov'] as const
export const HANDOUT_IMAGE_MAX_BYTES = 20_000_000
/** Pixels of an image in a handout or in the chat; a phone takes 48 million. For an animation, pixels of a frame. */
export const IMAGE_MAX_PIXELS = 50_000_000
export const HANDOUT_VIDEO_MAX_BYTES = 300_000_000
/** How far back a marker may point, in seconds. */
export const MARKER_SECONDS_AGO_MAX = 600
/** Characters of a handout's title. */
export const HANDOUT_TITLE_MAX = 200
/** The largest 32-bit integer. */
export const HANDOUT_SORT_MAX = 2_147_483_647

/** Characters of a viewer's comment on a recording, and comments of one recording. */
export const COMMENT_MAX = 2000
export const COMMENTS_MAX = 5000
/** Comments, changes, clips and deletions of one viewer in any minute, in each process. */
export const VIEWER_WRITES_PER_MIN = 60

/** Characters of a search in transcripts. */
export const TRANSCRIPT_SEARCH_MAX = 200

/** Validity of a link to a recording, if nobody says otherwise: a week. Links live as long as viewer tokens at most. */
export const SHARE_DEFAULT_SEC = 7 * 24 * 60 * 60
export const SHARE_PASSWORD_MIN = 8
export const SHARE_PASSWORD_MAX = 128
/** Links to one recording and its clips that work. */
export const SHARES_MAX = 200
/** How often one link can be opened in any minute, in each process: guesses of its password, too. */
export const SHARE_OPENINGS_PER_MIN = 30

/** Characters of a clip's title, and clips of one recording. */
export const CLIP_TITLE_MAX = 200
/** Characters of a clip's tag, and tags of a clip. */
export const CLIP_TAG_MAX = 40
export const CLIP_TAGS_MAX = 10
export const CLIPS_MAX = 200

/** Lines of a transcript, characters of a line, and revisions of a transcript. */
export const TRANSCRIPT_LINES_MAX = 20_000
export const TRANSCRIPT_LINE_MAX = 1000
export const TRANSCRIPT_REVISIONS_MAX = 1000

/** Reels of one room, clips of one reel, and its length. */
export const REELS_MAX = 50
export const REEL_CLIPS_MAX = 50
export const REEL_MAX_SEC = 60 * 60
/** The title card of a reel. */
export const REEL_CARD_SEC = 3

export const CHAT_TEXT_MAX = 4000
export const ATTACHMENT_MAX_BYTES = 20_000_000
export const ATTACHMENT_NAME_MAX = 255
/** File types that the chat accepts, unless the operator allows fewer. */
export const ATTACHMENT_EXTENSIONS = [
  'png',
  'jpg',
  'jpeg',
  'gif',
  'webp',
  'bmp',
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'doc',
  'xls',
  'ppt',
  'txt',
  'csv',
] as const
/** Messages and files that one participant may send in any minute, unless the operator sets other limits. */
export const CHAT_MESSAGES_PER_MIN = 180
export const CHAT_FILES_PER_MIN = 20

/** Characters of the note of a tenant's API key. */
export const API_KEY_NOTE_MAX = 255
/** How long the old key stays valid beside the new one. */
export const API_KEY_OVERLAP_MAX_SEC = 30 * 24 * 60 * 60
export const API_KEY_OVERLAP_DEFAULT_SEC = 24 * 60 * 60
export const TOKEN_KEY_NAME_MAX = 128
/** Endpoints of one tenant. */
export const WEBHOOK_ENDPOINTS_MAX = 16
export const WEBHOOK_URL_MAX = 2048
export const WEBHOOK_DESCRIPTION_MAX = 255
/** Days of the longest period for which a tenant can list rooms or usage. */
export const PERIOD_MAX_DAYS = 366

export const CONNECTION_TEST_LIFE_MIN_SEC = 60
export const CONNECTION_TEST_LIFE_MAX_SEC = 7 * 24 * 60 * 60
export const CONNECTION_TEST_LIFE_DEFAULT_SEC = 24 * 60 * 60
export const CONNECTION_TEST_MEASURED_MIN_SEC = 15
/** Readings of the browser's counters in one result, and numbers in each. */
export const CONNECTION_TEST_SAMPLES_MAX = 120
export const CONNECTION_TEST_SAMPLE_MEMBERS_MAX = 100

/** The longest single step of a sandbox clock. It is longer than a recording is kept. */
export const SANDBOX_ADVANCE_MAX_SEC = 400 * 24 * 60 * 60

/** Shorter gaps of a recording are omitted. */
export const RECORDING_GAP_MIN_SEC = 2
