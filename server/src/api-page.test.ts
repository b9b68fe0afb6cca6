import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DETAIL_CODES, ERRORS } from '@interview-room/contract/errors.ts'
import * as limits from '@interview-room/contract/limits.ts'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import * as vocabulary from '@interview-room/contract/vocabulary.ts'
import { WEBHOOK_DATA } from '@interview-room/contract/webhooks.ts'
import { describe, expect, test } from 'vitest'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')

/** The rows of the table whose heading has this as its first cell. */
function tableOf(firstCell: string): string[][] {
  const lines = PAGE.split('\n')
  const start = lines.findIndex((line) => cellsOf(line)[0] === firstCell)
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'))
  return lines.slice(start + 2, end < 0 ? undefined : end).map(cellsOf)
}

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const DAY_SEC = 24 * 60 * 60
const number = (value: number) => value.toLocaleString('en-US')
const hours = (seconds: number) => `${seconds / 3600} hours`
const minutes = (seconds: number) => `${seconds / 60} minutes`
const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`
const range = (min: number, max: number) => `${number(min)} to ${number(max)}`

const LIMITS: readonly (readonly [what: string, limit: string])[] = [
  [
    '`limit` of a list',
    `${range(1, limits.PAGE_LIMIT_MAX)}, ${limits.PAGE_LIMIT_DEFAULT} by default`,
  ],
  ['Slot of a session', `at most ${hours(limits.SLOT_MAX_SEC)}`],
  ['Entry before and after the slot', minutes(limits.WINDOW_MARGIN_SEC)],
  ['Notice at the end of the window', `${limits.WINDOW_NOTICE_SEC} seconds`],
  ['`external_type`, `external_id`', `1 to ${limits.EXTERNAL_REF_MAX} characters each`],
  ['Name of a session or connection test', `at most ${limits.SESSION_NAME_MAX} characters`],
  ['Name of a person', `1 to ${limits.DISPLAY_NAME_MAX} characters`],
  ['Reason of a ban', `1 to ${limits.BAN_REASON_MAX} characters`],
  ['Reason of a close', `at most ${number(limits.CLOSE_REASON_MAX)} characters`],
  ['`Idempotency-Key`', `1 to ${limits.IDEMPOTENCY_KEY_MAX} characters`],
  [
    'Participant token',
    `at most ${number(limits.PARTICIPANT_TOKEN_MAX_CHARS)} characters, for at most ${hours(limits.PARTICIPANT_TOKEN_MAX_LIFE_SEC)}`,
  ],
  [
    'Viewer token',
    `at most ${number(limits.PARTICIPANT_TOKEN_MAX_CHARS)} characters, for at most ${limits.VIEWER_TOKEN_MAX_LIFE_SEC / 86_400} days; \`jti\` of 1 to ${limits.VIEWER_TOKEN_ID_MAX} visible ASCII characters`,
  ],
  [
    'Comment on a recording',
    `1 to ${number(limits.COMMENT_MAX)} characters; ${number(limits.COMMENTS_MAX)} comments of a recording`,
  ],
  [
    'Link to a recording',
    `works for at most ${limits.VIEWER_TOKEN_MAX_LIFE_SEC / DAY_SEC} days, ${limits.SHARE_DEFAULT_SEC / DAY_SEC} by default; a password of ${limits.SHARE_PASSWORD_MIN} to ${limits.SHARE_PASSWORD_MAX} characters; ${limits.SHARES_MAX} working links of a recording; opened ${limits.SHARE_OPENINGS_PER_MIN} times a minute`,
  ],
  ['`q` of a search in transcripts', `1 to ${limits.TRANSCRIPT_SEARCH_MAX} characters`],
  [
    'Clip of a recording',
    `a title of 1 to ${limits.CLIP_TITLE_MAX} characters, ${limits.CLIP_TAGS_MAX} tags of 1 to ${limits.CLIP_TAG_MAX} characters; ${limits.CLIPS_MAX} clips of a recording`,
  ],
  [
    'Corrected transcript',
    `at most ${number(limits.TRANSCRIPT_LINES_MAX)} lines of 1 to ${number(limits.TRANSCRIPT_LINE_MAX)} characters and 8 MB; ${number(limits.TRANSCRIPT_REVISIONS_MAX)} revisions of a transcript`,
  ],
  [
    'Reel of a room',
    `1 to ${limits.REEL_CLIPS_MAX} clips, ${limits.REEL_MAX_SEC === 3600 ? 'an hour' : ''} together with its title card of ${limits.REEL_CARD_SEC} seconds; ${limits.REELS_MAX} reels of a room`,
  ],
  ['Room ticket', minutes(limits.ROOM_TICKET_LIFE_SEC)],
  ['Media token', `at most ${minutes(limits.MEDIA_TOKEN_LIFE_SEC)}`],
  [
    '`expires_in_seconds` of a download URL',
    `${range(limits.DOWNLOAD_URL_MIN_SEC, limits.DOWNLOAD_URL_MAX_SEC)}, ${number(limits.DOWNLOAD_URL_DEFAULT_SEC)} by default`,
  ],
  ['`result_url` of a transcription', `${number(limits.RESULT_URL_LIFE_SEC)} seconds`],
  [
    'Language of a transcription',
    `${limits.TRANSCRIPTION_LANGUAGES.join(', ')}; ${limits.DEFAULT_LANGUAGE} by default`,
  ],
  [
    'Gap of a recording',
    `at least ${limits.RECORDING_GAP_MIN_SEC} seconds; shorter ones are not listed`,
  ],
  [
    'Engine of a transcription',
    `${vocabulary.TRANSCRIPTION_ENGINES.join(', ')}; ${limits.DEFAULT_ENGINE} by default`,
  ],
  [
    'Upload of a processed recording',
    `one PUT of at most ${limits.PROCESSED_UPLOAD_MAX_BYTES / 1024 ** 3} GiB`,
  ],
  [
    'Image of a handout',
    `${limits.HANDOUT_IMAGE_EXTENSIONS.join(', ')}; at most ${megabytes(limits.HANDOUT_IMAGE_MAX_BYTES)} and ${limits.IMAGE_MAX_PIXELS / 1_000_000} million pixels`,
  ],
  [
    'Video of a handout',
    `${limits.HANDOUT_VIDEO_EXTENSIONS.join(', ')}; at most ${megabytes(limits.HANDOUT_VIDEO_MAX_BYTES)}`,
  ],
  ['`sort` of a handout', range(0, limits.HANDOUT_SORT_MAX)],
  ['`title` of a handout', `1 to ${limits.HANDOUT_TITLE_MAX} characters`],
  [
    'Question for the moderator',
    `1 to ${limits.QUESTION_TEXT_MAX} characters in one line, ${limits.QUESTIONS_PER_MIN} of a person in any minute`,
  ],
  [
    'Rating of an interview',
    `a score of 1 to ${limits.RATING_SCORE_MAX}, a comment of at most ${number(limits.RATING_COMMENT_MAX)} characters`,
  ],
  ['Text of a chat message', `1 to ${number(limits.CHAT_TEXT_MAX)} characters`],
  [
    'File of a chat message',
    `${limits.ATTACHMENT_EXTENSIONS.join(', ')}; at most ${megabytes(limits.ATTACHMENT_MAX_BYTES)}, with a name of 1 to ${limits.ATTACHMENT_NAME_MAX} characters`,
  ],
  [
    'Chat of a participant',
    `${limits.CHAT_MESSAGES_PER_MIN} messages and ${limits.CHAT_FILES_PER_MIN} files in any minute`,
  ],
  ['`note` of an API key', `1 to ${limits.API_KEY_NOTE_MAX} characters`],
  [
    '`overlap_seconds` of a rotated API key',
    `${range(0, limits.API_KEY_OVERLAP_MAX_SEC)} (30 days), ${number(limits.API_KEY_OVERLAP_DEFAULT_SEC)} by default`,
  ],
  ['Rooms of a page of a data export', `1 to ${limits.EXPORT_ROOMS_MAX}`],
  ['Reason of a legal hold', `1 to ${limits.LEGAL_HOLD_REASON_MAX} characters`],
  ['Days of a retention rule', range(1, limits.RETENTION_DAYS_MAX)],
  ['Notice of retention', `${limits.RETENTION_NOTICE_DAYS} days, or those of a shorter rule`],
  ['`kid` of a token key', `1 to ${limits.TOKEN_KEY_NAME_MAX} visible ASCII characters`],
  ['Webhook endpoints of a tenant', `at most ${limits.WEBHOOK_ENDPOINTS_MAX}`],
  ['`url` of a webhook endpoint', `1 to ${number(limits.WEBHOOK_URL_MAX)} characters`],
  ['`description` of a webhook endpoint', `1 to ${limits.WEBHOOK_DESCRIPTION_MAX} characters`],
  ['`advance_seconds` of a sandbox', `${range(1, limits.SANDBOX_ADVANCE_MAX_SEC)} (400 days)`],
  ['Period of `GET /rooms` and `GET /usage`', `at most ${limits.PERIOD_MAX_DAYS} days`],
  [
    '`expires_in_seconds` of a connection test',
    `${range(limits.CONNECTION_TEST_LIFE_MIN_SEC, limits.CONNECTION_TEST_LIFE_MAX_SEC)}, ${number(limits.CONNECTION_TEST_LIFE_DEFAULT_SEC)} by default`,
  ],
  [
    'Measurement of a connection test',
    `at least ${limits.CONNECTION_TEST_MEASURED_MIN_SEC} seconds`,
  ],
]

describe('docs/api.md lists what the contract has:', () => {
  test('the operations', () => {
    const reported = PAGE.matchAll(/`(?<operation>(?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)
    const operations = new Set([...reported].map(({ groups }) => groups?.['operation'] ?? ''))
    // Compares only the difference: a failure of the whole would print every operation.
    expect(Object.keys(OPERATIONS).filter((each) => !operations.has(each))).toEqual([])
    expect([...operations].filter((each) => !(each in OPERATIONS))).toEqual([])
  })

  test('the operations that take an Idempotency-Key', () => {
    const [, section = ''] = PAGE.split(/^## Idempotency$/m)
    const [first = ''] = section.split('\n\n-')
    const keyed = Object.entries(OPERATIONS).filter(([, { isKeyed }]) => isKeyed)
    const reported = first.match(/(?<=`)[A-Z]+ \/[^`]*/g) ?? []
    expect(reported.toSorted()).toEqual(keyed.map(([operation]) => operation).toSorted())
  })

  test('the error codes with their status', () => {
    const codes = Object.entries(ERRORS).map(([code, { status }]) => [String(status), code])
    expect(tableOf('Status').map(([status, code]) => [status, code])).toEqual(codes)
  })

  test('the codes of details', () => {
    expect(tableOf('Detail').map(([code]) => code)).toEqual([...DETAIL_CODES])
  })

  test('the states of the resources', () => {
    expect(tableOf('Resource').map(([resource, states]) => [resource, states])).toEqual([
      ['Room', vocabulary.ROOM_STATUSES.join(', ')],
      ['Session', vocabulary.SESSION_STATUSES.join(', ')],
      ['Participant', vocabulary.PARTICIPANT_STATUSES.join(', ')],
      ['Recording', vocabulary.RECORDING_STATUSES.join(', ')],
      ['ProcessedRecording', vocabulary.PROCESSED_STATUSES.join(', ')],
      ['Clip', vocabulary.CLIP_STATUSES.join(', ')],
      ['Transcription', vocabulary.TRANSCRIPTION_STATUSES.join(', ')],
      ['ConnectionTest', vocabulary.CONNECTION_TEST_STATUSES.join(', ')],
    ])
  })

  test('the webhooks with the members of their data', () => {
    const { 'webhook.test': _ofOperators, ...webhooks } = WEBHOOK_DATA
    const wanted = Object.entries(webhooks).map(([type, schema]) => [
      type,
      Object.keys(schema.properties).join(', '),
    ])
    expect(tableOf('Code').map(([, type, , data]) => [type, data])).toEqual(wanted)
  })

  test('the limits', () => {
    expect(tableOf('What')).toEqual(LIMITS.map((row) => [...row]))
  })
})
