import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBoardTokens } from '../domain/board/board-token.ts'
import { admitByAccessToken } from '../domain/people/admit.ts'
import { deviceOf } from '../domain/people/device.ts'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import { createApiKeyVerifier } from '../platform/tenants/verify-api-key.ts'
import { createActingTenant } from '../testing/acting-tenant.ts'
import { useAdminTenant } from '../testing/admin-commands.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../testing/deps.ts'

const admin = useAdminTenant()
const { run, json } = admin

const limit = (...options: string[]) =>
  json('tenants', 'limit', '--tenant', admin.tenantId, ...options)

const liveTextFor = (audience: string) => [
  'tenants',
  'live-text',
  '--tenant',
  admin.tenantId,
  '--for',
  audience,
]
const failover = (...engines: string[]) => [
  'tenants',
  'failover',
  '--tenant',
  admin.tenantId,
  ...engines.flatMap((engine) => ['--engine', engine]),
]

describe('tenants and API keys', () => {
  test('a tenant may let in participants of other kinds, and of no unknown ones', async () => {
    const tenant = ['--tenant', admin.tenantId]
    const kinds = ['--kind', 'sip', '--kind', 'agent']
    expect(await json('tenants', 'guests', ...tenant, ...kinds)).toMatchObject({
      tenant_id: admin.tenantId,
      guest_kinds: ['sip', 'agent'],
    })
    const refused = await run('tenants', 'guests', ...tenant, '--kind', 'egress')
    expect(refused.exitCode).toBe(2)
    expect(await json('tenants', 'guests', ...tenant)).toMatchObject({
      guest_kinds: [],
      replaced: { guest_kinds: ['sip', 'agent'] },
    })
  })

  test('a tenant may name the engines that are tried when another one fails, each once', async () => {
    expect(await json(...failover('engine_b', 'engine_a'))).toMatchObject({
      transcription_failover: ['engine_b', 'engine_a'],
    })
    const twice = await run(...failover('engine_a', 'engine_a'))
    expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining('twice')])
    expect((await run(...failover('engine_x'))).exitCode).toBe(2)
    expect(await json(...failover())).toMatchObject({
      transcription_failover: [],
      replaced: { transcription_failover: ['engine_b', 'engine_a'] },
    })
  })

  test('a tenant may have live text, for staff or for everyone', async () => {
    expect(await json(...liveTextFor('staff'))).toMatchObject({
      live_text: 'staff',
      translate_to: null,
      replaced: { live_text: 'off' },
    })
    expect((await run(...liveTextFor('panelists'))).exitCode).toBe(2)
    const translated = await json(...liveTextFor('staff'), '--translate-to', 'en-US')
    expect(translated).toMatchObject({ live_text: 'staff', translate_to: 'en-US', replaced: null })
    expect((await run(...liveTextFor('staff'), '--translate-to', 'xx')).exitCode).toBe(2)
    expect(await json(...liveTextFor('off'))).toMatchObject({
      replaced: { live_text: 'staff', translate_to: 'en-US' },
    })
  })

  test('a tenant may have its rooms shown in frames of its own pages, and of no others', async () => {
    const tenant = ['--tenant', admin.tenantId]
    const origins = ['--origin', 'https://app.example.com', '--origin', 'https://b.example.com/']
    const allowed = ['https://app.example.com', 'https://b.example.com']
    expect(await json('tenants', 'frame', ...tenant, ...origins)).toEqual({
      tenant_id: admin.tenantId,
      frame_ancestors: allowed,
      replaced: null,
    })
    const stored = () => admin.db`select frame_ancestors from tenants where id = ${admin.tenantId}`
    expect(await stored()).toEqual([{ frame_ancestors: allowed }])
    for (const origin of [
      '*',
      'https://a.example.com; script-src *',
      'https://a.example.com/path',
      'https://*',
      'https://*.example.com',
    ]) {
      const refused = await run('tenants', 'frame', ...tenant, '--origin', origin)
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
      expect(refused.stderr).toContain('is no origin')
    }
    expect(await stored()).toEqual([{ frame_ancestors: allowed }])
    expect(await json('tenants', 'frame', ...tenant)).toMatchObject({
      frame_ancestors: [],
      replaced: { frame_ancestors: allowed },
    })
  })

  test('a tenant’s limits are set, shown with their source, and removed again', async () => {
    const unset = { requests_per_min: null, requests_per_min_from: 'default', rooms_open: null }
    expect(await limit()).toMatchObject(unset)
    const set = await limit('--requests-per-min', '600', '--rooms', '50', '--stored-gb', '2')
    expect(set).toMatchObject({
      requests_per_min: 600,
      requests_per_min_from: 'tenant',
      rooms_open: 50,
      stored_bytes: 2_000_000_000,
    })
    expect(set).toMatchObject({ replaced: null })
    const lifted = await limit('--requests-per-min', 'none', '--rooms', 'default')
    expect(lifted.replaced).toEqual({ requests_per_min: 600, rooms_open: 50 })
    expect(await limit()).toMatchObject({ replaced: null })
    expect(lifted).toMatchObject({
      requests_per_min: null,
      requests_per_min_from: 'tenant',
      rooms_open_from: 'default',
      stored_bytes: 2_000_000_000,
    })
    for (const bad of ['0', '-1', '1.5', 'many', '1000001']) {
      const { exitCode, stderr } = await run(
        'tenants',
        'limit',
        '--tenant',
        admin.tenantId,
        `--rooms=${bad}`,
      )
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('from 1 to 1000000')])
    }
    const unknown = await run('tenants', 'limit', '--tenant', randomUUID())
    expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('no tenant')])
  })

  // contract: Limits › `CONSENT_VERSION_MAX`, and `CONSENT_TEXT_MAX` of the other texts
  test('consent questions, their texts and the return page are set by tenant', async () => {
    const tenant = ['--tenant', admin.tenantId]
    const byDefault = await json('tenants', 'consent', ...tenant)
    expect(byDefault).toMatchObject({
      recording_consent: 'ask',
      observation_consent: 'informed',
      return_url: null,
      staff_return_url: null,
      staff_review: [],
    })
    const named = { company: 'Research Ltd', version: 'default-1' }
    expect(byDefault.consent_texts).toMatchObject([
      { language: 'ja', ...named },
      { language: 'en', ...named },
    ])
    const words = ['--company', 'R', '--purpose', 'P', '--retention', 'A year', '--contact', 'C']
    const english = ['--language', 'en', '--version', '2', ...words]
    const set = await json('tenants', 'consent-text', ...tenant, ...english)
    expect(set.consent_texts[0]).toEqual(byDefault.consent_texts[0])
    expect(set.consent_texts[1]).toEqual({
      language: 'en',
      version: '2',
      company: 'R',
      purpose: 'P',
      retention: 'A year',
      contact: 'C',
    })
    expect(set.replaced).toEqual({ consent_texts: [byDefault.consent_texts[1]] })
    const newer = ['--language', 'en', '--version', '3', ...words]
    const again = await json('tenants', 'consent-text', ...tenant, ...newer)
    expect(again.replaced).toEqual({ consent_texts: [set.consent_texts[1]] })
    await json('tenants', 'consent', ...tenant, '--recording', 'obtained')
    expect(await json('tenants', 'consent', ...tenant, '--observation', 'required')).toMatchObject({
      recording_consent: 'obtained',
      observation_consent: 'required',
      replaced: { observation_consent: 'informed' },
    })
    const url = 'https://example.com/thanks'
    expect(await json('tenants', 'return-url', ...tenant, '--url', url)).toMatchObject({
      return_url: url,
    })
    const staff = ['--for', 'staff', '--url', 'https://example.com/interviews']
    expect(await json('tenants', 'return-url', ...tenant, ...staff)).toEqual({
      tenant_id: admin.tenantId,
      staff_return_url: 'https://example.com/interviews',
      replaced: null,
    })
    const review = ['tenants', 'staff-review', ...tenant]
    expect(await json(...review, '--may', 'watch', 'comment')).toEqual({
      tenant_id: admin.tenantId,
      staff_review: ['watch', 'comment'],
      replaced: null,
    })
    expect((await run(...review, '--may', 'everything')).exitCode).toBe(2)
    expect(await json(...review)).toMatchObject({ staff_review: [] })
    for (const wrong of ['http://example.com', 'javascript:alert(1)', 'https://u:p@example.com']) {
      const refused = await run('tenants', 'return-url', ...tenant, '--url', wrong)
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
      expect(refused.stderr).toContain('is no address')
    }
    const tooLong = ['--language', 'en', '--version', 'x'.repeat(65), ...words]
    expect(await run('tenants', 'consent-text', ...tenant, ...tooLong)).toMatchObject({
      exitCode: 1,
      stderr: 'version must be one line of 1 to 64 characters\n',
    })
    for (const wrong of [
      ['consent', ...tenant, '--recording', 'never'],
      ['consent-text', ...tenant, '--language', 'fr', ...words],
    ]) {
      expect(await run('tenants', ...wrong)).toMatchObject({ exitCode: 2 })
    }
    expect(await run('tenants', 'consent', '--tenant', randomUUID())).toMatchObject({ exitCode: 1 })
    expect(await json('tenants', 'return-url', ...tenant)).toMatchObject({
      return_url: null,
      replaced: { return_url: url },
    })
  })

  test('a tenant is made and listed', async () => {
    const tenants = await json('tenants', 'list')
    expect(tenants).toContainEqual(
      expect.objectContaining({ tenant_id: admin.tenantId, name: 'Research Ltd' }),
    )
  })

  // contract: API key › The secret is shown once, at issue
  test('a key is issued, works, is listed without its secret, and is revoked', async () => {
    const { key_id: keyId, api_key: apiKey } = await json(
      'api-keys',
      'issue',
      '--tenant',
      admin.tenantId,
    )
    const verify = createApiKeyVerifier({ db: admin.db, clock: () => new Date() })
    expect(await verify(`ApiKey ${apiKey}`)).toMatchObject({ tenantId: admin.tenantId })

    const listed = await run('api-keys', 'list', '--tenant', admin.tenantId)
    expect(listed.stdout).toContain(keyId)
    expect(listed.stdout).not.toContain(apiKey.split('.')[1])

    expect(await json('api-keys', 'revoke', '--key-id', keyId)).toMatchObject({ revoked: true })
    const fresh = createApiKeyVerifier({ db: admin.db, clock: () => new Date() })
    await expect(fresh(`ApiKey ${apiKey}`)).rejects.toMatchObject({ reasonCode: 'KEY_REVOKED' })
  })

  test('a key is rotated: the old one ends after the hours that are given', async () => {
    const whose = ['--tenant', admin.tenantId]
    const old = await json('api-keys', 'issue', ...whose, '--note', 'Booking', '--scope', 'manage')
    const rotate = ['api-keys', 'rotate', ...whose, '--key-id', old.key_id]
    const rotated = await json(...rotate, '--hours', '2')
    expect(rotated).toMatchObject({ replaces: old.key_id, tenant_id: admin.tenantId })

    const verify = createApiKeyVerifier({ db: admin.db, clock: () => new Date() })
    for (const { api_key: key } of [old, rotated])
      expect(await verify(`ApiKey ${key}`)).toMatchObject({ tenantId: admin.tenantId })
    const list = ['api-keys', 'list', ...whose]
    const listed: { key_id: string; expires_at: string | null }[] = await json(...list)
    const next = { key_id: rotated.key_id, note: 'Booking', scopes: ['manage'], expires_at: null }
    expect(listed).toContainEqual(expect.objectContaining(next))
    const end = Date.parse(listed.find((key) => key.key_id === old.key_id)?.expires_at ?? '')
    expect(Math.abs(end - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000)

    expect(await run(...rotate, '--hours', '721')).toMatchObject({ exitCode: 2 })
    expect(await run('api-keys', 'revoke', '--key-id', old.key_id)).toMatchObject({ exitCode: 0 })
    const { exitCode, stderr } = await run(...rotate)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `tenant ${admin.tenantId} has no API key ${old.key_id} that is valid\n`,
    })
  })
})

describe('token keys', () => {
  test.each([[[]], [['--generate', '--jwk', '-']]])('are made one way: %j', async (ways) => {
    const key = ['--tenant', admin.tenantId, '--kid', 'one-way']
    const refused = await run('token-keys', 'add', ...key, ...ways)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('give either --jwk or --generate')
  })

  // contract: Participant token › Public keys are registered by the operator
  test('are made as a pair whose private half is shown once', async () => {
    const args = [
      '--tenant',
      admin.tenantId,
      '--kid',
      'k1',
      '--generate',
      '--role',
      'platform_observer',
    ]
    expect((await json('token-keys', 'add', ...args)).private_jwk.d).toBeDefined()
    const keys = await json('token-keys', 'list', '--tenant', admin.tenantId)
    expect(keys).toEqual([
      expect.objectContaining({
        kid: 'k1',
        status: 'active',
        allowed_roles: ['platform_observer'],
      }),
    ])
    expect(JSON.stringify(keys)).not.toContain('private')
  })

  describe('a participant token that is verified', () => {
    const roomId = randomUUID()
    let folder: string
    let key: { tenant_id: string; kid: string; private_jwk: JWK }

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tokens-'))
      const made = ['--tenant', admin.tenantId, '--kid', 'verified', '--generate']
      key = await json('token-keys', 'add', ...made)
    })
    afterAll(() => rm(folder, { recursive: true }))

    async function verified(claims: object, ...args: string[]) {
      const token = await new SignJWT({
        iss: admin.tenantId,
        aud: TEST_ENVIRONMENT.PUBLIC_URL,
        room_id: roomId,
        role: 'panelist',
        name: 'Hanako',
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'room-entry+jwt' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(await importJWK(key.private_jwk, 'ES256'))
      const file = path.join(folder, 'token')
      await writeFile(file, `${token}\n`)
      const { exitCode, stdout } = await run(...VERIFY, file, ...args, '--json')
      return { exitCode, ...JSON.parse(stdout) }
    }
    const VERIFY = ['token-keys', 'verify', '--token']

    test('is accepted, and its claims are printed', async () => {
      expect(await verified({})).toEqual({
        exitCode: 0,
        verdict: 'accepted',
        tenant_id: admin.tenantId,
        room_id: roomId,
        role: 'panelist',
        name: 'Hanako',
      })
    })

    test.each([
      ['AUDIENCE_MISMATCH', { aud: 'https://else.test' }],
      ['KEY_UNKNOWN', { iss: randomUUID() }],
      ['NAME_INVALID', { name: '' }],
      ['ROLE_NOT_ALLOWED', { role: 'platform_observer' }],
    ])('is refused with the reason %s, and exit code 1', async (reason_code, claims) => {
      const refused = { exitCode: 1, verdict: 'refused', code: 'UNAUTHORIZED', reason_code }
      expect(await verified(claims)).toMatchObject(refused)
    })

    test('says why the published key set of its tenant cannot be fetched', async () => {
      const url = 'http://127.0.0.1:65000/keys.json'
      const tenant = ['--tenant', admin.tenantId]
      await json('token-keys', 'publish', ...tenant, '--url', url)
      key = { ...key, kid: 'published' }
      expect(await verified({})).toMatchObject({
        exitCode: 1,
        verdict: 'refused',
        code: 'SERVICE_UNAVAILABLE',
        reason_code: 'KEY_SET_UNREACHABLE',
        reason: `the tenant's key set at ${url} cannot be fetched: connect ECONNREFUSED 127.0.0.1:65000`,
      })
      key = { ...key, kid: 'verified' }
      await json('token-keys', 'unpublish', ...tenant)
    })

    test('is refused for another room, and for a role that does not exist', async () => {
      const other = await verified({}, '--room', randomUUID())
      expect(other).toMatchObject({ exitCode: 1, reason_code: 'ROOM_MISMATCH' })
      expect(await verified({ role: 'king' })).toMatchObject({
        exitCode: 1,
        code: 'UNKNOWN_ROLE',
        reason_code: 'UNKNOWN_ROLE',
        reason: expect.stringContaining('must be one of'),
      })
    })

    test('is required if there is no such file', async () => {
      const { exitCode, stderr } = await run(...VERIFY, path.join(folder, 'none'))
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot be read')])
    })
  })

  test('are retired and revoked', async () => {
    await json('token-keys', 'add', '--tenant', admin.tenantId, '--kid', 'k2', '--generate')
    const key = ['--tenant', admin.tenantId, '--kid', 'k2']
    expect(await json('token-keys', 'retire', ...key)).toMatchObject({ status: 'retired' })
    expect(await json('token-keys', 'revoke', ...key)).toMatchObject({ status: 'revoked' })
    // Revoked for good: the answer does not say otherwise.
    expect(await json('token-keys', 'retire', ...key)).toMatchObject({ status: 'revoked' })
  })

  test('may be published by the tenant at an address of its own', async () => {
    const url = 'https://tenant.example.com/keys.json'
    const tenant = ['--tenant', admin.tenantId]
    expect(await json('token-keys', 'publish', ...tenant, '--url', url)).toEqual({
      tenant_id: admin.tenantId,
      jwks_uri: url,
      replaced: null,
    })
    const other = ['--url', `${url}?v=2`]
    expect(await json('token-keys', 'publish', ...tenant, ...other)).toMatchObject({
      replaced: { jwks_uri: url },
    })
    expect(await json('token-keys', 'unpublish', ...tenant)).toMatchObject({
      jwks_uri: null,
      replaced: { jwks_uri: `${url}?v=2` },
    })
    const [row] = await admin.db`select jwks_uri from tenants where id = ${admin.tenantId}`
    expect(row?.['jwks_uri']).toBeNull()
  })

  test('that are unusable are refused in one line', async () => {
    const { addTokenKey } = await import('../platform/tenants/add-token-key.ts')
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const add = async (alg: 'ES256' | 'EdDSA', publicJwk: object) =>
      addTokenKey(admin.db, { tenantId: admin.tenantId, kid: randomUUID(), alg, publicJwk })
    await expect(add('EdDSA', await exportJWK(publicKey))).rejects.toThrow('needs an Ed25519 key')
    await expect(add('ES256', await exportJWK(privateKey))).rejects.toThrow('private half')
    await expect(add('ES256', { kty: 'EC' })).rejects.toThrow('not a public JWK')
  })
})

describe('operators', () => {
  test('get a key of their own, which may sign platform_observer and nothing else', async () => {
    const added = await json('operators', 'add', '--tenant', admin.tenantId, '--kid', 'ops')
    expect(added.private_jwk.d).toBeDefined()
    expect(await json('operators', 'list', '--tenant', admin.tenantId)).toContainEqual(
      expect.objectContaining({ kid: 'ops', allowed_roles: ['platform_observer'] }),
    )
  })
})

const whose = () => ['--tenant', admin.tenantId, '--operator', 'yamada']

describe('links to the board', () => {
  // contract: Board link › A link holds for 12 hours unless given, and is ended with all others
  //   of the operator
  test('are made for 12 hours, shown once, and ended', async () => {
    await ensureServiceKey(createTestDeps({ db: admin.db }))
    const made = await json('operators', 'board-link', ...whose(), '--name', '山田')
    expect(made).toMatchObject({ tenant_id: admin.tenantId, operator: 'yamada' })
    expect(made.url).toMatch(/^https:\/\/rooms\.test\/board#token=/)
    const leftH = (Date.parse(made.expires_at) - Date.now()) / 3_600_000
    expect(leftH).toBeGreaterThan(11.9)
    expect(leftH).toBeLessThanOrEqual(12)

    const boardTokens = createBoardTokens(createTestDeps({ db: admin.db }))
    const bearer = `Bearer ${made.url.split('#token=')[1]}`
    expect(await boardTokens.verify(bearer)).toMatchObject({
      operator: 'yamada',
      displayName: '山田',
    })
    expect(await json('operators', 'end-board-links', ...whose())).toMatchObject({ ended: 1 })
    await expect(boardTokens.verify(bearer)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await json('operators', 'end-board-links', ...whose())).toMatchObject({ ended: 0 })
  })

  // contract: Board link › A link holds for 1 to 24 hours
  test.each([['0'], ['25'], ['x']])('for %s hours are refused', async (hours) => {
    const { exitCode } = await run('operators', 'board-link', ...whose(), '--hours', hours)
    expect(exitCode).toBe(2)
  })
})

describe('sessions', () => {
  // contract: enterRoom › `access_token` admits nobody any more once the operator has rotated it
  test('get a new access token, and the old one no longer admits', async () => {
    const deps = createTestDeps({ db: admin.db })
    const tenant = await createActingTenant(deps)
    const { roomId, accessToken } = await tenant.addRoom()
    const [session] = await admin.db`select id from sessions where room_id = ${roomId}`
    const key = ['--tenant', tenant.tenantId, '--session', session?.['id']]
    const rotated = await json('sessions', 'rotate-access-token', ...key)

    const origin = { device: deviceOf(undefined, undefined), ipAddress: null }
    const entry = { origin, alsoRead: async () => {} }
    const request = { roomId, name: 'Hana' }
    const old = admitByAccessToken(deps, { ...request, accessToken }, entry)
    await expect(old).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await admitByAccessToken(deps, { ...request, accessToken: rotated.access_token }, entry)
  })

  test('of another tenant cannot be rotated', async () => {
    const key = ['--tenant', admin.tenantId, '--session', randomUUID()]
    expect((await run('sessions', 'rotate-access-token', ...key)).exitCode).toBe(1)
  })
})
