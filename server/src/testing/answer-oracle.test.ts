import { randomUUID } from 'node:crypto'
import { WEBHOOKS } from '@interview-room/contract/operations/webhooks.ts'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { describe, expect, test } from 'vitest'
import { judgeAnswer, judgeWebhook } from './answer-oracle.ts'

const ROOM = OPERATIONS['GET /rooms/{room_id}']?.answer as object
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

test('a webhook that is not as described is found', () => {
  const { example } = WEBHOOKS['participant.entered']
  expect(judgeWebhook(JSON.stringify(example))).toBeUndefined()
  expect(judgeWebhook(JSON.stringify({ ...example, version: '2' }))).toContain('version')
  const data = { ...example.data, secret: 1 }
  expect(judgeWebhook(JSON.stringify({ ...example, data }))).toContain('additional')
})
