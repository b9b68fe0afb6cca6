import { randomUUID } from 'node:crypto'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { WEBHOOKS } from '@interview-room/contract/operations/webhooks.ts'
import { describe, expect, test } from 'vitest'
import { judgeAnswer, judgeEvent, judgeWebhook } from './answer-oracle.ts'

const ROOM = OPERATIONS['GET /rooms/{room_id}']?.example?.answer as object
const GIVEN = {
  method: 'GET',
  route: '/api/v1/rooms/:room_id',
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' } as Record<string, string>,
  body: JSON.stringify({ success: true, data: ROOM }),
}
const MISSING = {
  ...GIVEN,
  status: 404,
  body: '{"success":false,"error":{"code":"NOT_FOUND","message":"There is no such resource."}}',
}

test('answers as described pass', () => {
  expect([judgeAnswer(GIVEN), judgeAnswer(MISSING)]).toEqual([undefined, undefined])
})

describe('an answer that is not as described is found', () => {
  // contract: Form of answers › Every answer of every test is as described: status, headers, media
  //   type, members, code and message
  test.each([
    ['another status', { ...GIVEN, status: 202 }, 'status'],
    ['another media type', { ...GIVEN, headers: { 'content-type': 'text/html' } }, 'text/html'],
    [
      'a member more',
      { ...GIVEN, body: JSON.stringify({ success: true, data: { ...ROOM, secret: 1 } }) },
      'additional',
    ],
    [
      'a member of another type',
      {
        ...GIVEN,
        body: JSON.stringify({ success: true, data: { ...ROOM, id: randomUUID().slice(1) } }),
      },
      'format',
    ],
    [
      'a code of others',
      { ...MISSING, body: MISSING.body.replace('NOT_FOUND', 'ROOM_CLOSED') },
      'ROOM_CLOSED',
    ],
    ['other words', { ...MISSING, body: MISSING.body.replace('There', 'Here') }, 'Here'],
    [
      'a refusal without its header',
      { ...MISSING, status: 401, body: MISSING.body.replace('NOT_FOUND', 'UNAUTHORIZED') },
      'www-authenticate',
    ],
    ['a refusal without envelope', { ...MISSING, route: undefined, body: '{}' }, 'envelope'],
  ])('%s', (_what, given, problem) => {
    expect(judgeAnswer(given)).toContain(problem)
  })
})

// contract: Form of answers › Every webhook of every test is as described
test('a webhook that is not as described is found', () => {
  const { example } = WEBHOOKS['participant.entered']
  expect(judgeWebhook(JSON.stringify(example))).toBeUndefined()
  expect(judgeWebhook(JSON.stringify({ ...example, version: '2' }))).toContain('version')
  const data = { ...example.data, secret: 1 }
  expect(judgeWebhook(JSON.stringify({ ...example, data }))).toContain('additional')
})

describe('an event of a stream', () => {
  const STREAM = '/api/v1/rooms/{room_id}/live/stream'
  const CLOSED = { name: 'closed', data: { reason: 'room_closed' } }

  test('as described passes', () => {
    expect(judgeEvent(STREAM, CLOSED)).toBeUndefined()
  })

  // contract: streamRoom › Every `event` that a test reads is as described, with all members:
  //   `now`; of people `participant_id`, `identity`, `has_hand_raised`, `last_test` (`status`,
  //   `completed_at`, `failure_reason`, `mos`, `recommended_resolution`, `recommended_frame_rate`,
  //   `warnings`); of the `presentation` `handout_id`, `title`, `file_name`, `file_url`, `content_type`,
  //   `playback` (`position_sec`, `is_playing`, `at`); of the recording `started_at`,
  //   `recorded_sec`, `running_since`, `is_end_wanted`; of facts `type`, `payload`, `created_at`;
  //   of messages `visibility`, `sender_name`, `text`, `attachment` (`mime`, `size`); `reason`
  // contract: streamBoard › Every `event` that a test reads is as described, with all members;
  //   `changed` and `gone` name the rooms
  test.each([
    ['another name', { ...CLOSED, name: 'shut' }],
    ['another value', { ...CLOSED, data: { reason: 'tired' } }],
    ['a member too many', { ...CLOSED, data: { ...CLOSED.data, by: 'somebody' } }],
    ['a member missing', { ...CLOSED, data: {} }],
  ])('with %s is found', (_name, event) => {
    expect(judgeEvent(STREAM, event)).toBeDefined()
  })
})
