import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ErrorCode } from '@interview-room/contract/errors.ts'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { WAITS } from '../../platform/config/config.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { booking } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { answerOnce, answerOnceLeased } from './answer-once.ts'
import type { KeyedRequest } from './answer.ts'
import { deleteOldKeys } from './store.ts'

const plane = useControlPlane()
const TWINS = 20

const withKey = (key: string) => ({ 'idempotency-key': key })

const failWith = (code: ErrorCode) => async () => {
  throw new ServiceError(code)
}

function requestOf(key: string | undefined, content = 'the same'): KeyedRequest {
  return { tenantId: plane.tenant.tenantId, key, fingerprint: Buffer.from(content) }
}

const keysNamed = (key: string) =>
  plane.database.db`select * from idempotency_keys where key = ${key}`

describe('an operation in one transaction', () => {
  // contract: Idempotency › The effect and its kept answer are one transaction
  test('20 concurrent requests with one key have one effect and one answer', async () => {
    const key = randomUUID()
    const { db } = plane.database
    await db`create table if not exists effects (key text)`
    const answers = await Promise.all(
      Array.from({ length: TWINS }, () =>
        answerOnce(plane.deps, requestOf(key), async (tx) => {
          await tx`insert into effects values (${key})`
          return { status: 201, headers: { location: '/x' }, data: { id: randomUUID() } }
        }),
      ),
    )
    expect(await db`select 1 from effects where key = ${key}`).toHaveLength(1)
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
  })

  // contract: Idempotency › Refusals are not kept: the request is judged again
  test('that is refused leaves the key free: the next request is judged again', async () => {
    const key = randomUUID()
    await expect(
      answerOnce(plane.deps, requestOf(key), failWith('ROOM_CLOSED')),
    ).rejects.toMatchObject({
      code: 'ROOM_CLOSED',
    })
    const again = await answerOnce(plane.deps, requestOf(key), async () => ({ status: 204 }))
    expect(again).toMatchObject({ isReplayed: false, answer: { status: 204, body: null } })
  })

  // contract: Idempotency › Another body: 422 IDEMPOTENCY_KEY_CONFLICT, and nothing happens
  // contract: Error codes › 422 IDEMPOTENCY_KEY_CONFLICT
  test('with the key of another request is 422 IDEMPOTENCY_KEY_CONFLICT, and does nothing', async () => {
    const key = randomUUID()
    await answerOnce(plane.deps, requestOf(key, 'one'), async () => ({ status: 204 }))
    let hasRun = false
    const other = answerOnce(plane.deps, requestOf(key, 'other'), async () => {
      hasRun = true
      return { status: 204 }
    })
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_CONFLICT' })
    expect(hasRun).toBe(false)
  })

  // contract: Idempotency › The key is optional
  test('without a key just happens', async () => {
    const answered = await answerOnce(plane.deps, requestOf(undefined), async () => ({
      status: 200,
      data: 1,
    }))
    expect(answered).toEqual({
      isReplayed: false,
      answer: { status: 200, headers: {}, body: '{"success":true,"data":1}' },
    })
  })
})

describe('an operation that calls the provider in between', () => {
  test('makes its twins wait for the answer', async () => {
    const key = randomUUID()
    let runs = 0
    const answers = await Promise.all(
      Array.from({ length: TWINS }, () =>
        answerOnceLeased(plane.deps, requestOf(key), async (keep) => {
          runs += 1
          await waitFor(async () => (await keysNamed(key)).length === 1)
          await inTransaction(plane.database.db, (tx) => keep(tx, { status: 201, data: runs }))
        }),
      ),
    )
    expect(runs).toBe(1)
    expect(new Set(answers.map(({ answer }) => answer.body)).size).toBe(1)
  })

  test('that fails gives the key back to the next one', async () => {
    const key = randomUUID()
    const fail = failWith('RTC_PROVISION_FAILED')
    await expect(answerOnceLeased(plane.deps, requestOf(key), fail)).rejects.toThrow(ServiceError)
    expect(await keysNamed(key)).toHaveLength(0)
  })

  // contract: Idempotency › A process that dies does not keep the key
  test('whose process died leaves the key to a repeat when its lease has expired', async () => {
    const key = randomUUID()
    const { tenantId } = plane.tenant
    await plane.database.db`
      insert into idempotency_keys (tenant_id, key, fingerprint, lease_token, lease_until)
      values (${tenantId}, ${key}, ${Buffer.from('the same')}, ${randomUUID()},
              clock_timestamp() - interval '1 second')
    `
    const answered = await answerOnceLeased(plane.deps, requestOf(key), (keep) =>
      inTransaction(plane.database.db, (tx) => keep(tx, { status: 201, data: 'taken over' })),
    )
    expect(answered).toMatchObject({ isReplayed: false, answer: { status: 201 } })
  })
})

// contract: Idempotency › Kept for 24 hours
// contract: Limits › Idempotency-Key: kept for 24 hours
test('answers are forgotten after a day, and then the key is a new one', async () => {
  const key = randomUUID()
  await answerOnce(plane.deps, requestOf(key), async () => ({ status: 200, data: 'old' }))
  await plane.database.db`
    update idempotency_keys set created_at = created_at - interval '23 hours 59 minutes',
                                done_at = done_at - interval '23 hours 59 minutes' where key = ${key}
  `
  const kept = await answerOnce(plane.deps, requestOf(key), async () => ({ status: 204 }))
  expect(kept).toMatchObject({ isReplayed: true, answer: { status: 200 } })
  await plane.database.db`
    update idempotency_keys set created_at = created_at - interval '25 hours',
                                done_at = done_at - interval '25 hours' where key = ${key}
  `
  const again = await answerOnce(plane.deps, requestOf(key), async () => ({
    status: 200,
    data: 'new',
  }))
  expect(again.answer.body).toContain('new')
  await plane.database.db`
    update idempotency_keys set created_at = created_at - interval '25 hours',
                                done_at = done_at - interval '25 hours' where key = ${key}
  `
  expect(await deleteOldKeys(plane.database.db, { retentionSec: 24 * 3600, limit: 10 })).toBe(1)
})

describe('Idempotency-Key of POST /rooms', () => {
  // contract: Idempotency › Rooms: 20 concurrent requests with one key make one, with the same answer;
  //   a repeat carries `Idempotent-Replayed`
  test('makes 20 twins one room with one answer, byte for byte, and one media room', async () => {
    const body = booking({ now: plane.now })
    const key = randomUUID()
    const before = plane.media.rooms.size
    const answers = await Promise.all(
      Array.from({ length: TWINS }, () => plane.tenant.post('/rooms', body, withKey(key))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: TWINS }, () => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(TWINS - 1)
    expect(plane.media.rooms.size).toBe(before + 1)
  })

  // contract: createRoom › Idempotency-Key: another body is 422 IDEMPOTENCY_KEY_CONFLICT
  test('with another body is 422 IDEMPOTENCY_KEY_CONFLICT', async () => {
    const key = randomUUID()
    await plane.tenant.post('/rooms', booking({ now: plane.now }), withKey(key))
    const other = await plane.tenant.post('/rooms', booking({ now: plane.now }), withKey(key))
    expect([other.status, other.code]).toEqual([422, 'IDEMPOTENCY_KEY_CONFLICT'])
  })

  // contract: Idempotency › Another spelling of the same body is the same request
  test('takes another spelling of the same body for the same request', async () => {
    const key = randomUUID()
    const { kind, session } = booking({ now: plane.now })
    const first = await plane.tenant.post('/rooms', { kind, session }, withKey(key))
    const second = await plane.tenant.post('/rooms', { session, kind }, withKey(key))
    expect(second.text).toBe(first.text)
  })

  // contract: Idempotency › Keys belong to their tenant
  test('belongs to its tenant: another one may use the same', async () => {
    const key = randomUUID()
    const body = booking({ now: plane.now })
    const mine = await plane.tenant.post('/rooms', body, withKey(key))
    const theirs = await plane.other.post('/rooms', body, withKey(key))
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.data.id).not.toBe(mine.data.id)
  })

  // contract: Idempotency › While the first one runs: its twin waits 10 s, then 409
  //   IDEMPOTENCY_KEY_IN_USE with `Retry-After`
  // contract: Error codes › 409 IDEMPOTENCY_KEY_IN_USE
  test('while the first request runs, its twin waits 10 seconds and is 409 IDEMPOTENCY_KEY_IN_USE', async () => {
    const [leased, locked] = [randomUUID(), randomUUID()]
    const { id: roomId } = await plane.book()
    const { db } = plane.database
    await db`
      insert into idempotency_keys (tenant_id, key, fingerprint, lease_token, lease_until)
      values (${plane.tenant.tenantId}, ${leased}, ${Buffer.alloc(32)}, ${randomUUID()},
              clock_timestamp() + interval '1 hour')
    `
    const waits = { ...plane.deps.config.waits, twinMs: 500 }
    const deps = { ...plane.deps, config: { ...plane.deps.config, waits } }
    const app = await createApp(deps)
    const started = performance.now()
    await inTransaction(db, async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await tx`
        insert into idempotency_keys (tenant_id, key, fingerprint, lease_token)
        values (${plane.tenant.tenantId}, ${locked}, ${Buffer.alloc(32)}, ${randomUUID()})
      `
      const request = {
        tenantId: plane.tenant.tenantId,
        key: leased,
        fingerprint: Buffer.alloc(32),
      }
      const [twin, other] = await Promise.all([
        answerOnceLeased(deps, request, async () => {}).catch((error: unknown) => error),
        app.inject({
          method: 'DELETE',
          url: `/api/v1/rooms/${roomId}/chat-messages`,
          headers: { authorization: plane.tenant.authorization, ...withKey(locked) },
        }),
      ])
      expect(twin).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' })
      expect([other.statusCode, other.json().error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
      expect(other.headers['retry-after']).toBe('1')
    })
    expect(performance.now() - started).toBeGreaterThanOrEqual(waits.twinMs)
    expect(WAITS.twinMs).toBe(10_000)
    await app.close()
  })

  test('stays with a first request that takes longer than its lease, and is free soon after one that dies', async () => {
    const waits = { ...plane.deps.config.waits, keyLeaseMs: 1_500, twinMs: 3_000 }
    const deps = { ...plane.deps, config: { ...plane.deps.config, waits } }
    const request = {
      tenantId: plane.tenant.tenantId,
      key: randomUUID(),
      fingerprint: Buffer.alloc(32),
    }
    const outcome = { status: 201, headers: {}, data: null }
    const [hasBegun, isTwinRefused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = answerOnceLeased(deps, request, async (keep) => {
      hasBegun.resolve()
      await isTwinRefused.promise
      await inTransaction(plane.database.db, (tx) => keep(tx, outcome))
    })
    await hasBegun.promise
    await expect(answerOnceLeased(deps, request, async () => {})).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_USE',
    })
    isTwinRefused.resolve()
    expect(await first).toMatchObject({ isReplayed: false, answer: { status: 201 } })

    const dead = { ...request, key: randomUUID() }
    await plane.database.db`
      insert into idempotency_keys (tenant_id, key, fingerprint, lease_token, lease_until)
      values (${dead.tenantId}, ${dead.key}, ${dead.fingerprint}, ${randomUUID()},
              clock_timestamp() + make_interval(secs => ${waits.keyLeaseMs / 1000}))
    `
    const second = await answerOnceLeased(deps, dead, async (keep) =>
      inTransaction(plane.database.db, (tx) => keep(tx, outcome)),
    )
    expect(second).toMatchObject({ isReplayed: false, answer: { status: 201 } })
  })

  // contract: Idempotency › 1 to 255 visible ASCII characters (`IDEMPOTENCY_KEY_MAX`)
  test('has up to 255 visible characters', async () => {
    const body = booking({ now: plane.now })
    const answer = await plane.tenant.post('/rooms', body, withKey('~'.repeat(255)))
    expect(answer.status).toBe(201)
  })

  // contract: Idempotency › Given twice: 400 INVALID_REQUEST, `DUPLICATE`
  test('given twice is 400 INVALID_REQUEST', async () => {
    await plane.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = plane.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(
      [
        'POST /api/v1/rooms HTTP/1.1',
        'Host: rooms.test',
        `Authorization: ${plane.tenant.authorization}`,
        'Content-Type: application/json',
        'Idempotency-Key: one',
        'Idempotency-Key: one',
        'Connection: close',
        'Transfer-Encoding: chunked',
        '',
      ].join('\r\n'),
    )
    const body = JSON.stringify(booking({ now: plane.now }))
    socket.write(`\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('"field":"Idempotency-Key","code":"DUPLICATE"')
  })

  // contract: Idempotency › A 502 RTC_PROVISION_FAILED is really tried again
  test('after 502 RTC_PROVISION_FAILED really tries again', async () => {
    const key = randomUUID()
    const body = booking({ now: plane.now })
    plane.media.isDown = true
    const failed = await plane.tenant.post('/rooms', body, withKey(key))
    plane.media.isDown = false
    expect(failed.code).toBe('RTC_PROVISION_FAILED')
    expect((await plane.tenant.post('/rooms', body, withKey(key))).status).toBe(201)
  })

  // contract: Idempotency › Anything else: 400 INVALID_REQUEST
  test.each([[''], ['with space'], ['日本'], ['x'.repeat(256)]])(
    '"%s" is 400 INVALID_REQUEST',
    async (key) => {
      const refused = await plane.tenant.post('/rooms', booking({ now: plane.now }), withKey(key))
      expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(refused.details).toEqual([['Idempotency-Key', 'INVALID_FORMAT']])
    },
  )
})
