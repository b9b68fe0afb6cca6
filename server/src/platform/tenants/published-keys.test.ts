import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { loadConfig } from '../config/config.ts'
import type { Deps } from '../ports/deps.ts'
import { addTokenKey } from './add-token-key.ts'
import { createTenant } from './create-tenant.ts'
import { setJwksUri } from './manage-tenants.ts'
import { findTokenKey } from './token-keys.ts'

const MINUTE_MS = 60_000

let database: TestDatabase
let deps: Deps
let server: Server
let url: string
let tenantId: string
let now: Date
let asked: number
let answer: (response: ServerResponse) => void

async function published(kid: string, alg = 'ES256', more: object = {}): Promise<JWK> {
  const { publicKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(publicKey)), kid, ...more }
}

const publish =
  (keys: readonly JWK[], headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(200, headers).end(JSON.stringify({ keys }))

beforeAll(async () => {
  database = await createTestDatabase()
  server = createServer((_request, response) => {
    asked += 1
    answer(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await database.drop()
})

beforeEach(async () => {
  now = new Date('2026-06-01T10:00:00Z')
  asked = 0
  deps = createTestDeps({ db: database.db, clock: () => now })
  tenantId = (await createTenant(database.db, { name: 'T' })).id
  await setJwksUri(deps, { tenantId, jwksUri: url })
})

const find = (kid: string) => findTokenKey(deps, { tenantId, kid })
const wait = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

describe('the keys that a tenant publishes', () => {
  // contract: Participant token › Or published by the tenant at an address of its own
  test('sign like registered ones, for the usual roles', async () => {
    answer = publish([
      await published('ec'),
      await published('ed', 'EdDSA'),
      await published('rsa', 'RS256'),
    ])
    expect(await find('ec')).toMatchObject({
      tenantId,
      alg: 'ES256',
      status: 'active',
      allowedRoles: ['moderator', 'observer', 'panelist'],
    })
    expect((await find('ed'))?.alg).toBe('EdDSA')
    expect((await find('rsa'))?.alg).toBe('RS256')
    expect(asked).toBe(1)
  })

  test('are skipped if they are not for signing, or of a type that we do not accept', async () => {
    const secret = { kty: 'oct', k: 'AAAA', kid: 'secret' }
    answer = publish([
      await published('enc', 'ES256', { use: 'enc' }),
      await published('other', 'ES384'),
      await published('lie', 'ES256', { alg: 'RS256' }),
      { ...(await published('x')), kid: undefined } as never,
      secret,
      await published('good', 'ES256', { use: 'sig', alg: 'ES256' }),
    ])
    for (const kid of ['enc', 'other', 'lie', 'x', 'secret']) {
      expect([kid, await find(kid)]).toEqual([kid, undefined])
    }
    expect(await find('good')).toBeDefined()
  })

  test('are cached for less than a second: then a revocation applies', async () => {
    answer = publish([await published('k1')])
    const { tokenKeys } = deps
    const key = { tenantId, kid: 'registered' }
    const { kid: _kid, ...publicJwk } = await published('registered')
    await addTokenKey(database.db, { ...key, alg: 'ES256', publicJwk })
    expect(await tokenKeys.find(key)).toMatchObject({ status: 'active' })
    await database.db`
      update token_keys set status = 'revoked' where tenant_id = ${tenantId}
    `
    wait(800)
    expect(await tokenKeys.find(key)).toMatchObject({ status: 'active' })
    wait(200)
    expect(await tokenKeys.find(key)).toMatchObject({ status: 'revoked' })
    expect(await tokenKeys.find({ tenantId, kid: 'none' })).toBeUndefined()
  })

  test('come after the registered ones: a revoked key stays revoked', async () => {
    const key = await published('k1')
    answer = publish([key])
    const { kid: _kid, ...publicJwk } = key
    await addTokenKey(database.db, { tenantId, kid: 'k1', alg: 'ES256', publicJwk })
    await database.db`
      update token_keys set status = 'revoked' where tenant_id = ${tenantId} and kid = 'k1'
    `
    expect(await find('k1')).toMatchObject({ status: 'revoked' })
    expect(asked).toBe(0)
  })

  test('are kept for 5 minutes at least, or as long as the address says, and a day at most', async () => {
    answer = publish([await published('k1')], { 'cache-control': 'public, max-age=3600' })
    await find('k1')
    wait(59 * MINUTE_MS)
    await find('k1')
    expect(asked).toBe(1)
    wait(2 * MINUTE_MS)
    answer = publish([await published('k1')], { 'cache-control': 'max-age=99999999' })
    await find('k1')
    expect(asked).toBe(2)
    wait(24 * 60 * MINUTE_MS - 1)
    await find('k1')
    expect(asked).toBe(2)
    wait(1)
    answer = publish([await published('k1')], { 'cache-control': 'no-store' })
    await find('k1')
    wait(5 * MINUTE_MS - 1)
    await find('k1')
    expect(asked).toBe(3)
    wait(1)
    await find('k1')
    expect(asked).toBe(4)
  })

  test('are fetched again for an unknown name, but only once in 5 minutes', async () => {
    answer = publish([await published('k1')], { 'cache-control': 'max-age=3600' })
    await find('k1')
    answer = publish([await published('k1'), await published('k2')])
    await Promise.all([find('k2'), find('forged'), find('k2')])
    expect(asked).toBe(1)
    wait(5 * MINUTE_MS)
    const found = await Promise.all([find('k2'), find('forged'), find('k2')])
    expect(found.map((key) => key?.kid)).toEqual(['k2', undefined, 'k2'])
    expect(asked).toBe(2)
  })

  test.each(['k2', 'forged'])(
    'are asked for %s in time again after a clock that was a day ahead',
    async (kid) => {
      wait(24 * 60 * MINUTE_MS)
      answer = publish([await published('k1')])
      await find('k1')
      wait(-24 * 60 * MINUTE_MS)
      answer = publish([await published('k1'), await published('k2')])
      expect((await find(kid))?.kid).toBe(kid === 'k2' ? kid : undefined)
      expect(asked).toBe(2)
    },
  )

  test('are trusted for a day while the address does not answer', async () => {
    answer = publish([await published('k1')])
    await find('k1')
    answer = (response) => void response.writeHead(500).end()
    wait(6 * MINUTE_MS)
    expect(await find('k1')).toBeDefined()
    wait(24 * 60 * MINUTE_MS)
    await expect(find('k1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test.each([
    ['an error', (response: ServerResponse) => void response.writeHead(404).end()],
    [
      'a redirect',
      (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(),
    ],
    ['no JSON', (response: ServerResponse) => void response.end('<html>')],
    ['no key set', (response: ServerResponse) => void response.end('[]')],
    ['too much', (response: ServerResponse) => void response.end('x'.repeat(100_000))],
    [
      'too much, packed into a few bytes',
      (response: ServerResponse) => {
        const packed = brotliCompressSync(`${' '.repeat(100_000)}{"keys":[]}`)
        response.writeHead(200, { 'content-encoding': 'br' }).end(packed)
      },
    ],
    ['a broken answer', (response: ServerResponse) => void response.destroy()],
  ])('that cannot be fetched (%s) make entry unavailable, not open', async (_name, broken) => {
    answer = broken
    await expect(find('k1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    // The failed fetch is not repeated at every attempt.
    await expect(find('k1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(asked).toBe(1)
    answer = publish([await published('k1')])
    wait(30_000)
    expect(await find('k1')).toBeDefined()
  })

  test('are no more once the tenant takes its address away', async () => {
    answer = publish([await published('k1')])
    expect(await find('k1')).toBeDefined()
    await setJwksUri(deps, { tenantId, jwksUri: null })
    expect(await find('k1')).toBeUndefined()
  })

  test.each(['http://keys.example.com/', 'https://10.0.0.1/', 'https://u:p@example.com/', 'x'])(
    'are not looked for at %s',
    async (jwksUri) => {
      const config = loadConfig({ ...TEST_ENVIRONMENT, WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'false' })
      await expect(setJwksUri({ db: database.db, config }, { tenantId, jwksUri })).rejects.toThrow(
        /must|not/,
      )
    },
  )
})
