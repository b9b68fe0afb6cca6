import { randomUUID } from 'node:crypto'
import { API_KEY_OVERLAP_MAX_SEC } from '@interview-room/contract/limits.ts'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecording } from '../../testing/recordings.ts'
import { createTenantClient } from '../../testing/tenant-client.ts'

const plane = useControlPlane()

/** The status of a call of this address by an API key. */
async function statusWith(apiKey: string, path: string): Promise<number> {
  const { statusCode } = await plane.app.inject({
    url: `/api/v1${path}`,
    headers: { authorization: `ApiKey ${apiKey}` },
  })
  return statusCode
}

const later = (ms: number) => new Date(Date.now() + ms)

async function issue(body: object = {}) {
  const { status, data } = await plane.tenant.post('/api-keys', body)
  expect(status).toBe(201)
  return data as { key_id: string; api_key: string }
}

describe('the scopes of an API key', () => {
  // contract: Scopes of an API key › A key without the scope `manage` gets the 401 of a wrong key
  test('only control: management is 401 as with a wrong key', async () => {
    const { api_key } = await issue()
    const [refused, wrong] = await Promise.all(
      [api_key, 'key_0.wrong'].map((key) =>
        plane.app.inject({
          url: '/api/v1/api-keys',
          headers: { authorization: `ApiKey ${key}` },
        }),
      ),
    )
    expect([refused?.statusCode, refused?.body]).toEqual([401, wrong?.body])
    expect(await statusWith(api_key, `/rooms/${randomUUID()}`)).toBe(404)
  })

  // contract: Scopes of an API key › A key with `manage` alone cannot book or read rooms: 401
  test('only manage: the rest of the API is 401', async () => {
    const { api_key } = await issue({ scopes: ['manage'] })
    expect(await statusWith(api_key, '/api-keys')).toBe(200)
    expect(await statusWith(api_key, `/rooms/${randomUUID()}`)).toBe(401)
    expect(await statusWith(api_key, '/events')).toBe(401)
  })
})

describe('API keys', () => {
  // contract: listApiKeys › 200, list envelope, oldest first, with `key_id`, `note`, `scopes`,
  //   `created_at`, `expires_at`, `last_used_at` and `revoked_at`, and never a secret
  // contract: issueApiKey › 201 with `api_key` this once
  test('are issued with their secret, and listed without it', async () => {
    const expires_at = later(3_600_000).toISOString()
    const issued = await issue({ note: 'Reports', scopes: ['control', 'manage'], expires_at })
    const { api_key, ...listed } = issued
    expect(api_key.startsWith(`${listed.key_id}.`)).toBe(true)
    expect(listed).toMatchObject({
      note: 'Reports',
      scopes: ['control', 'manage'],
      expires_at,
      last_used_at: null,
      revoked_at: null,
    })
    const { data, text } = await plane.tenant.get('/api-keys?limit=100')
    expect(data.items).toContainEqual(listed)
    expect(text).not.toContain(api_key.split('.')[1])
  })

  test('are read page by page', async () => {
    const tenant = await createTenantClient(plane.app, plane.database.db)
    await tenant.post('/api-keys', {})
    await tenant.post('/api-keys', {})
    const seen: string[] = []
    let query = '?limit=1'
    for (let page = 0; page < 3; page += 1) {
      const { data } = await tenant.get(`/api-keys${query}`)
      seen.push(data.items[0].key_id)
      query = `?limit=1&cursor=${data.next_cursor}`
    }
    expect(new Set(seen).size).toBe(3)
  })

  // contract: getApiKey › 200 with `last_used_at` once the key was accepted
  test('show when they were last used', async () => {
    const { key_id, api_key } = await issue()
    expect((await plane.tenant.get(`/api-keys/${key_id}`)).data.last_used_at).toBeNull()
    await statusWith(`${key_id}.wrong`, '/sessions?external_type=Slot&external_id=1')
    expect((await plane.tenant.get(`/api-keys/${key_id}`)).data.last_used_at).toBeNull()
    await statusWith(api_key, '/sessions?external_type=Slot&external_id=1')
    const { data } = await plane.tenant.get(`/api-keys/${key_id}`)
    expect(Date.parse(data.last_used_at)).toBeGreaterThan(Date.parse(data.created_at) - 1)
  })

  // contract: rotateApiKey › 201 with `api_key` this once: `note` and `scopes` of the old key, which ends after
  //   `overlap_seconds`, or a day later
  test('are rotated: both are valid for a while', async () => {
    const old = await issue({ note: 'Reports', scopes: ['control', 'manage'] })
    const address = `/api-keys/${old.key_id}`
    const expires_at = later(3_600_000).toISOString()
    const { status, data, headers } = await plane.tenant.post(`${address}/rotate`, { expires_at })
    expect([status, headers['location']]).toEqual([201, `/api/v1/api-keys/${data.key_id}`])
    expect(data).toMatchObject({ note: 'Reports', scopes: ['control', 'manage'], expires_at })
    expect(data.key_id).not.toBe(old.key_id)
    for (const key of [old.api_key, data.api_key])
      expect(await statusWith(key, '/events')).toBe(200)
    const ends = Date.parse((await plane.tenant.get(address)).data.expires_at)
    expect(Math.abs(ends - later(86_400_000).getTime())).toBeLessThan(60_000)

    const soon = await plane.tenant.post(`${address}/rotate`, { overlap_seconds: 0 })
    expect(soon.data).toMatchObject({ note: 'Reports', expires_at: null })
    plane.now = new Date(plane.now.getTime() + 1000)
    expect(await statusWith(old.api_key, '/events')).toBe(401)
    expect(await statusWith(soon.data.api_key, '/events')).toBe(200)
  })

  // contract: Limits › `overlap_seconds`: `API_KEY_OVERLAP_DEFAULT_SEC` unless given
  // contract: rotateApiKey › The old key never ends later than it did
  test('keep an end that comes earlier than the overlap', async () => {
    const expires_at = later(60_000).toISOString()
    const { key_id } = await issue({ expires_at })
    expect((await plane.tenant.post(`/api-keys/${key_id}/rotate`)).status).toBe(201)
    expect((await plane.tenant.get(`/api-keys/${key_id}`)).data).toMatchObject({ expires_at })
  })

  // contract: rotateApiKey › 422 VALIDATION_ERROR for a key that was revoked or has expired, and for an
  //   `expires_at` in the past; 404 NOT_FOUND for a key of another tenant
  // contract: rotateApiKey › 400 INVALID_REQUEST for `overlap_seconds` below 0 or over `API_KEY_OVERLAP_MAX_SEC`
  test('are rotated only while they are valid, by their tenant, within the limits', async () => {
    const { key_id, api_key } = await issue()
    const address = `/api-keys/${key_id}/rotate`
    expect((await plane.other.post(address)).status).toBe(404)
    const past = new Date(plane.now.getTime() - 1).toISOString()
    expect(await plane.tenant.post(address, { expires_at: past })).toMatchObject({
      status: 422,
      details: [['expires_at', 'IN_PAST']],
    })
    for (const overlap_seconds of [-1, API_KEY_OVERLAP_MAX_SEC + 1, 1.5]) {
      const refused = await plane.tenant.post(address, { overlap_seconds })
      expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    }
    expect(await statusWith(api_key, '/events')).toBe(200)
    await plane.tenant.delete(`/api-keys/${key_id}`)
    expect(await plane.tenant.post(address)).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      details: [['key_id', 'NOT_ALLOWED']],
    })
  })

  // contract: revokeApiKey › 204, also for a repeat: the key is refused from then on and stays in the list
  test('are revoked', async () => {
    const { key_id, api_key } = await issue()
    expect((await plane.tenant.delete(`/api-keys/${key_id}`)).status).toBe(204)
    expect(await statusWith(api_key, '/events')).toBe(401)
    expect((await plane.tenant.delete(`/api-keys/${key_id}`)).status).toBe(204)
    expect((await plane.tenant.get(`/api-keys/${key_id}`)).data.revoked_at).not.toBeNull()
  })

  // contract: issueApiKey › A key is refused from `expires_at` on
  test('expire', async () => {
    const { key_id, api_key } = await issue({ expires_at: later(60_000).toISOString() })
    expect(await statusWith(api_key, '/events')).toBe(200)
    await plane.database.db`
      update api_keys set expires_at = clock_timestamp() where key_id = ${key_id}
    `
    plane.now = new Date(plane.now.getTime() + 1000)
    expect(await statusWith(api_key, '/events')).toBe(401)
  })

  // contract: issueApiKey › 422 VALIDATION_ERROR for an `expires_at` in the past
  test('that would have expired already are refused', async () => {
    const expires_at = new Date(plane.now.getTime() - 1).toISOString()
    const refused = await plane.tenant.post('/api-keys', { expires_at })
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['expires_at', 'IN_PAST']],
    ])
  })

  // contract: issueApiKey › 400 INVALID_REQUEST for a `note` over `API_KEY_NOTE_MAX` characters, for
  //   unknown `scopes`, and for none
  test.each([
    [{ note: 'x'.repeat(256) }, ['note', 'TOO_LONG']],
    [{ scopes: ['root'] }, ['scopes.0', 'INVALID_ENUM']],
    [{ scopes: [] }, ['scopes', 'TOO_SHORT']],
    [{ expires_at: 'tomorrow' }, ['expires_at', 'INVALID_FORMAT']],
  ])('refuse %j', async (body, detail) => {
    const refused = await plane.tenant.post('/api-keys', body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toContainEqual(detail)
  })

  // contract: revokeApiKey › 404 NOT_FOUND for a key of another tenant, which stays valid
  test('of another tenant are not there', async () => {
    const { key_id, api_key } = await issue()
    expect((await plane.other.delete(`/api-keys/${key_id}`)).status).toBe(404)
    expect(await statusWith(api_key, '/events')).toBe(200)
    const { data } = await plane.other.get('/api-keys?limit=100')
    expect(data.items.map((key: { key_id: string }) => key.key_id)).not.toContain(key_id)
  })
})

async function newPublicKey(alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { public_jwk: await exportJWK(publicKey), private_jwk: await exportJWK(privateKey) }
}

describe('token keys', () => {
  // contract: registerTokenKey › 201 with `kid`, `alg`, `public_jwk`, `status`, `allowed_roles`,
  //   `not_before`, `not_after` and `created_at`
  // contract: listTokenKeys › 200, list envelope, oldest first
  // contract: getTokenKey › 200
  test('are registered, listed and read', async () => {
    const { public_jwk } = await newPublicKey()
    const body = { kid: '2030-11', alg: 'ES256', public_jwk, allowed_roles: ['panelist'] }
    const registered = await plane.tenant.post('/token-keys', body)
    expect([registered.status, registered.headers['location']]).toEqual([
      201,
      '/api/v1/token-keys/2030-11',
    ])
    expect(registered.data).toMatchObject({ ...body, status: 'active', not_before: null })
    const { data } = await plane.tenant.get('/token-keys')
    expect(data.items).toContainEqual(registered.data)
    expect((await plane.tenant.get('/token-keys/2030-11')).data).toEqual(registered.data)
  })

  // contract: registerTokenKey › A repeat with the same Idempotency-Key answers the same
  test('are registered once for one Idempotency-Key', async () => {
    const { public_jwk } = await newPublicKey()
    const body = { kid: randomUUID(), alg: 'ES256', public_jwk }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await plane.tenant.post('/token-keys', body, headers)
    const second = await plane.tenant.post('/token-keys', body, headers)
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
  })

  // contract: registerTokenKey › 422 VALIDATION_ERROR for a `kid` in use, a key that does not fit
  //   `alg` or holds its private half, and a `not_after` before `not_before`
  test('in use, unfit or private are refused', async () => {
    const { public_jwk, private_jwk } = await newPublicKey()
    const kid = randomUUID()
    await plane.tenant.post('/token-keys', { kid, alg: 'ES256', public_jwk })
    const bodies = [
      [{ kid, alg: 'ES256', public_jwk }, ['kid', 'DUPLICATE']],
      [{ kid: 'a', alg: 'EdDSA', public_jwk }, ['public_jwk', 'NOT_ALLOWED']],
      [{ kid: 'a', alg: 'ES256', public_jwk: private_jwk }, ['public_jwk', 'NOT_ALLOWED']],
      [{ kid: 'a', alg: 'ES256', public_jwk: { kty: 'EC' } }, ['public_jwk', 'NOT_ALLOWED']],
      [
        {
          kid: 'a',
          alg: 'ES256',
          public_jwk,
          not_before: '2030-01-02T00:00:00Z',
          not_after: '2030-01-02T00:00:00Z',
        },
        ['not_after', 'OUT_OF_RANGE'],
      ],
    ] as const
    for (const [body, detail] of bodies) {
      const refused = await plane.tenant.post('/token-keys', body)
      expect([refused.status, refused.code, refused.details]).toEqual([
        422,
        'VALIDATION_ERROR',
        [detail],
      ])
    }
  })

  // contract: registerTokenKey › 400 INVALID_REQUEST for a `kid` over `TOKEN_KEY_NAME_MAX`
  //   characters, another `alg`, and the role `platform_observer`, which only the operator grants
  test.each([
    [{ kid: 'x'.repeat(129) }, ['kid', 'TOO_LONG']],
    [{ kid: 'a b' }, ['kid', 'INVALID_FORMAT']],
    [{ alg: 'HS256' }, ['alg', 'INVALID_ENUM']],
    [{ public_jwk: 'key' }, ['public_jwk', 'INVALID_TYPE']],
    [{ allowed_roles: ['platform_observer'] }, ['allowed_roles.0', 'INVALID_ENUM']],
  ])('refuse %j', async (members, detail) => {
    const { public_jwk } = await newPublicKey()
    const body = { kid: 'k', alg: 'ES256', public_jwk, ...members }
    const refused = await plane.tenant.post('/token-keys', body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toContainEqual(detail)
  })

  // contract: patchTokenKey › 200 with the new status: its tokens admit nobody from then on, and a
  //   revoked key stays revoked
  test('end', async () => {
    const acting = await createActingTenant(plane.deps, plane.other.tenantId)
    plane.now = new Date()
    await ensureServiceKey(plane.deps)
    const { roomId } = await acting.addRoom()
    const enter = async () => {
      const { statusCode } = await plane.app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${roomId}/live/entry`,
        headers: { authorization: `Bearer ${await acting.signToken({ roomId })}` },
      })
      return statusCode
    }
    expect(await enter()).toBe(201)
    const revoked = await plane.other.patch('/token-keys/k1', { status: 'revoked' })
    expect([revoked.status, revoked.data.status]).toEqual([200, 'revoked'])
    plane.now = new Date(plane.now.getTime() + 1000)
    expect(await enter()).toBe(401)
    const retired = await plane.other.patch('/token-keys/k1', { status: 'retired' })
    expect(retired.data.status).toBe('revoked')
  })

  // contract: patchTokenKey › 400 INVALID_REQUEST for any other status: a key does not come back
  test('do not become active again', async () => {
    const { public_jwk } = await newPublicKey()
    const kid = randomUUID()
    await plane.tenant.post('/token-keys', { kid, alg: 'ES256', public_jwk })
    const refused = await plane.tenant.patch(`/token-keys/${kid}`, { status: 'active' })
    expect([refused.status, refused.details]).toEqual([400, [['status', 'INVALID_ENUM']]])
  })
})

const recordingsOf = (items: { recording_id: string }[]) => items.map((item) => item.recording_id)

describe('the access log', () => {
  // contract: listDownloadAccesses › 200, list envelope, newest first, with `id`,
  //   `recording_id`, `processed_recording_id`, `transcription_id`, `purpose`, `issued_at` and `expires_at`; a
  //   foreign tenant has its own
  test('has each URL that was issued, of all recordings or of one', async () => {
    const { id: roomId } = await plane.book()
    const one = await addRecording(plane, roomId)
    const other = await addRecording(plane, roomId)
    for (const id of [one, other, one]) await plane.tenant.get(`/recordings/${id}/download-url`)
    const { data } = await plane.tenant.get('/access-log?limit=2')
    expect(recordingsOf(data.items)).toEqual([one, other])
    expect(data.items[0].id).not.toBe(data.items[1].id)
    const rest = await plane.tenant.get(`/access-log?limit=2&cursor=${data.next_cursor}`)
    expect(recordingsOf(rest.data.items)[0]).toBe(one)
    const ofOne = await plane.tenant.get(`/access-log?recording_id=${other}`)
    expect(ofOne.data.items).toHaveLength(1)
    expect((await plane.other.get('/access-log')).data.items).toEqual([])
  })
})

describe('usage', () => {
  // contract: getUsage › 200 with `from`, `to`, `rooms_booked`, `entries`, `participant_minutes`,
  //   `recordings`, `recorded_minutes`, `transcriptions`, `connection_tests` and `stored_bytes`
  test('counts only the period, and cuts visits at its ends', async () => {
    const tenant = await createTenantClient(plane.app, plane.database.db)
    const acting = await createActingTenant(plane.deps, tenant.tenantId)
    const { roomId } = await acting.addRoom()
    plane.now = new Date()
    await addRecording({ ...plane, tenant }, roomId)
    const now = Date.now()
    const from = new Date(now - 3_600_000)
    for (const [entered, left] of [
      [-90, -30],
      [-20, -10],
    ] as const) {
      await plane.database.db`
        insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                     entered_at, left_at)
        values (${tenant.tenantId}, ${roomId}, ${-entered}, 'x', ${randomUUID()}, 'Hana', 'panelist',
                ${new Date(now + entered * 60_000)}, ${new Date(now + left * 60_000)})
      `
    }
    const to = new Date(now + 3_600_000)
    const query = `from=${from.toISOString()}&to=${to.toISOString()}`
    const { status, data } = await tenant.get(`/usage?${query}`)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      from: from.toISOString(),
      to: to.toISOString(),
      rooms_booked: 1,
      entries: 1,
      participant_minutes: 40,
      recordings: 1,
      recorded_minutes: 1,
      stored_bytes: 13,
      transcriptions: 0,
      connection_tests: 0,
    })
    const other = await plane.other.get(`/usage?${query}`)
    expect(other.data).toMatchObject({ entries: 0, recordings: 0 })
  })

  // contract: getUsage › 422 VALIDATION_ERROR for a period without length, or of more than
  //   `PERIOD_MAX_DAYS` days
  test.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
    ['2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z'],
    ['2030-01-01T00:00:00Z', '2031-01-03T00:00:00Z'],
  ])('refuses the period from %s to %s', async (from, to) => {
    const refused = await plane.tenant.get(`/usage?from=${from}&to=${to}`)
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['to', 'OUT_OF_RANGE']],
    ])
  })
})
