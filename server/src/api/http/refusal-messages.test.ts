import { gzipSync } from 'node:zlib'
import { EVENT_ID } from '@interview-room/contract/management.ts'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { booking, type TenantClient } from '../../testing/tenant-client.ts'
import { PATTERNS } from './fault-messages.ts'

/** Checks that a refusal says which values are allowed. */

const plane = useControlPlane()

type Details = { field: string; code: string; message: string }[]

const detailsOf = ({ text }: Awaited<ReturnType<TenantClient['get']>>): Details =>
  JSON.parse(text).error.details

const room = (member: object) => ({ ...booking({ now: plane.now }), ...member })
const session = (member: object) => {
  const body = booking({ now: plane.now })
  return { ...body, session: { ...body.session, ...member } }
}

describe('a field that POST /rooms refuses has a message that says what is allowed:', () => {
  // contract: createRoom, Detail codes › The message of a field says what is allowed
  test.each<[body: () => object, field: string, message: string]>([
    [() => room({ kind: 'meeting' }), 'kind', 'must be: interview'],
    [() => room({ archive_mode: 'never' }), 'archive_mode', 'must be one of: always, manual'],
    [() => room({ stream_frame_rate: 24 }), 'stream_frame_rate', 'must be one of: 30, 15, 7, 1'],
    [() => room({ stream_frame_rate: '15' }), 'stream_frame_rate', 'must be an integer'],
    [
      () => room({ transcription_language: 'fr-FR' }),
      'transcription_language',
      'must be one of: ja-JP, en-US, zh-CN, zh-TW, ko-KR, th-TH, vi-VN',
    ],
    [
      () => room({ archive: 'always' }),
      'archive',
      'is not known here; must be one of: kind, archive_mode, archive_resolution, stream_resolution, stream_frame_rate, transcription_language, transcription_service, transcription_failover, live_text, session',
    ],
    [
      () => session({ starts_at: '2030-11-21' }),
      'session.starts_at',
      'must be an RFC 3339 date-time such as 2030-11-21T01:00:00Z',
    ],
    [() => session({ external_type: '' }), 'session.external_type', 'must have 1 to 64 characters'],
    [
      () => session({ external_id: 'x'.repeat(65) }),
      'session.external_id',
      'must have 1 to 64 characters',
    ],
    [
      () => session({ external_type: 'Sl\u0007ot' }),
      'session.external_type',
      'must not have control characters',
    ],
    [() => session({ name: 'x'.repeat(256) }), 'session.name', 'must have at most 255 characters'],
    [() => session({ external_id: true }), 'session.external_id', 'must be a string or an integer'],
    [() => session({ external_type: null }), 'session.external_type', 'must not be null'],
  ])('%#', async (...[body, field, message]) => {
    const answer = await plane.tenant.post('/rooms', body())
    expect(answer.status).toBe(400)
    expect(detailsOf(answer)).toContainEqual(expect.objectContaining({ field, message }))
  })
})

const ID = '019a2f6e-0d31-7c51-8f02-77c1d9b4e210'

describe('a query or a body of another operation says what is allowed:', () => {
  test.each<[path: string, field: string, message: string]>([
    [
      `/rooms/${ID}/participants?role=guest`,
      'role',
      'must be one of: moderator, observer, panelist, platform_observer',
    ],
    [`/rooms/${ID}/recordings?limit=101`, 'limit', 'must be from 1 to 100'],
    [`/rooms/${ID}/recordings?limit=ten`, 'limit', 'must be an integer from 1 to 100'],
    [
      `/rooms/${ID}/recordings?cursor=%21`,
      'cursor',
      'must be a next_cursor of this list, unchanged',
    ],
    [
      `/recordings/${ID}/download-url?expires_in_seconds=5`,
      'expires_in_seconds',
      'must be from 60 to 10800',
    ],
    ['/events?after=evt_1', 'after', PATTERNS[EVENT_ID] ?? ''],
    [`/rooms/${ID}/recordings?page=2`, 'page', 'is not known here; must be one of: cursor, limit'],
  ])('GET %s', async (...[path, field, message]) => {
    const answer = await plane.tenant.get(path)
    expect(answer.status).toBe(400)
    expect(detailsOf(answer)).toContainEqual(expect.objectContaining({ field, message }))
  })

  test('the reason of a ban', async () => {
    const path = `/rooms/${ID}/participants/${ID}/ban`
    const messageOf = async (reason: string) => {
      const [detail] = detailsOf(await plane.tenant.post(path, { reason }))
      return detail?.message
    }
    expect(await messageOf('')).toBe('must have 1 to 255 characters')
    expect(await messageOf('\u0007')).toBe(
      'must have a character other than control characters, and no NUL',
    )
  })
})

type Target = `${'POST' | 'PATCH'} ${string}`

function send(target: Target, type: string, payload = '{}') {
  const [method, path] = target.split(' ') as ['POST' | 'PATCH', string]
  const headers = { 'content-type': type }
  return plane.tenant.send({ method, url: `/api/v1${path}`, payload, headers })
}

describe('a body that is refused as a whole says what is allowed:', () => {
  // contract: Bodies and queries › 415 UNSUPPORTED_MEDIA_TYPE says which media types are taken
  test.each<[target: Target, type: string, allowed: string]>([
    ['POST /rooms', 'text/plain', 'application/json'],
    ['POST /rooms', 'application/merge-patch+json', 'application/json'],
    [`PATCH /rooms/${ID}`, 'text/plain', 'application/json, application/merge-patch+json'],
    [`POST /sessions/${ID}/handouts`, 'text/plain', 'multipart/form-data'],
  ])('%s as %s', async (...[target, type, allowed]) => {
    const answer = await send(target, type)
    expect([answer.status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(detailsOf(answer)).toEqual([
      { field: 'Content-Type', code: 'INVALID_ENUM', message: `must be one of: ${allowed}` },
    ])
  })

  // contract: Bodies and queries › Not JSON, duplicate keys, NUL, lone surrogates: 400
  //   INVALID_JSON; another type than an object: 400 INVALID_REQUEST
  test.each([
    ['{"a":', 'INVALID_FORMAT', 'must be one JSON value (RFC 8259)'],
    ['{"a":1,"a":2}', 'DUPLICATE', 'must not have the same key twice in an object'],
    ['{"a":"\\u0000"}', 'INVALID_FORMAT', 'must not have NUL characters'],
    ['{"a":"\\ud800"}', 'INVALID_FORMAT', 'must not have half of a surrogate pair'],
    [
      '{"a":9007199254740993}',
      'OUT_OF_RANGE',
      'must not have numbers beyond 2^53 - 1: send a large id as text',
    ],
    [`${'['.repeat(34)}${']'.repeat(34)}`, 'INVALID_FORMAT', 'must be at most 32 levels deep'],
  ])('%s', async (payload, code, message) => {
    const answer = await send('POST /rooms', 'application/json', payload)
    expect([answer.status, answer.code]).toEqual([400, 'INVALID_JSON'])
    expect(detailsOf(answer)).toEqual([{ field: 'body', code, message }])
  })

  test('for a list that has an item twice', async () => {
    const answer = await plane.tenant.post('/api-keys', { scopes: ['control', 'control'] })
    expect(detailsOf(answer)).toEqual([
      { field: 'scopes', code: 'DUPLICATE', message: 'must not have the same item twice' },
    ])
  })

  // contract: Bodies and queries › 415 UNSUPPORTED_MEDIA_TYPE for a compressed body
  test.each(['POST', 'PATCH'] as const)('%s with a compressed body', async (method) => {
    const answer = await plane.tenant.send({
      method,
      url: method === 'POST' ? '/api/v1/rooms' : `/api/v1/rooms/${ID}`,
      payload: gzipSync('{}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect([answer.status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(detailsOf(answer)).toEqual([
      { field: 'Content-Encoding', code: 'INVALID_ENUM', message: 'must be: identity' },
    ])
  })

  test('of more than 64 KiB', async () => {
    const answer = await send('POST /rooms', 'application/json', `"${'x'.repeat(64 * 1024)}"`)
    expect([answer.status, answer.code]).toEqual([413, 'FILE_TOO_LARGE'])
    expect(detailsOf(answer)).toEqual([
      { field: 'body', code: 'TOO_LARGE', message: 'must have at most 65536 bytes' },
    ])
  })
})

test('names the limit of a body with too many members', async () => {
  const members = Array.from({ length: 1_001 }, (_each, n) => `"m${n}":0`)
  const answer = await send('POST /rooms', 'application/json', `{${members.join()}}`)
  expect([answer.status, answer.code]).toEqual([400, 'INVALID_JSON'])
  expect(detailsOf(answer)).toEqual([
    { field: 'body', code: 'TOO_LARGE', message: 'must have at most 1000 members' },
  ])
})

test('explains every pattern of a body or a query in words, not as a regular expression', () => {
  const asked = Object.values(OPERATIONS).map(({ query, body }) => JSON.stringify([query, body]))
  const found = asked.flatMap((schemas) => [...schemas.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)])
  const patterns = new Set(found.map(([, text = '']) => JSON.parse(text) as string))
  expect(patterns.size).toBeGreaterThan(5)
  expect([...patterns].filter((pattern) => PATTERNS[pattern] === undefined)).toEqual([])
})
