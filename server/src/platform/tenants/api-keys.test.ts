import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import type { ApiKeyRefusal } from './api-key-refusal.ts'
import { createTenant } from './create-tenant.ts'
import { issueApiKey } from './issue-api-key.ts'
import { revokeApiKey } from './manage-tenants.ts'
import { createApiKeyVerifier } from './verify-api-key.ts'

let database: TestDatabase
let tenantId: string
let now: Date

beforeAll(async () => {
  database = await createTestDatabase()
  tenantId = (await createTenant(database.db, { name: 'T' })).id
  now = new Date()
})

afterAll(async () => {
  await database.drop()
})

function verifier() {
  return createApiKeyVerifier({ db: database.db, clock: () => now })
}

async function issue() {
  return issueApiKey(database.db, { tenantId, note: null })
}

/** The one answer, and why for the log. */
const refused = (reasonCode: ApiKeyRefusal) => ({
  code: 'UNAUTHORIZED',
  headers: { 'www-authenticate': 'ApiKey' },
  reasonCode,
})

describe('an API key', () => {
  // contract: API key › Step 5, the tenant of the key is the scope; rotation: several keys are
  //   valid side by side
  test('gives its tenant, and several live ones do so side by side', async () => {
    const verify = verifier()
    const [one, two] = [await issue(), await issue()]
    expect(await verify(`ApiKey ${one.apiKey}`)).toMatchObject({ tenantId })
    expect(await verify(`ApiKey ${two.apiKey}`)).toMatchObject({ tenantId })
  })

  // contract: API key › Step 4, only a salted hash is stored
  test('has a secret of 256 bits, and only a salted hash of it is stored', async () => {
    const { keyId, apiKey } = await issue()
    const secret = apiKey.split('.')[1] ?? ''
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    const [row] =
      await database.db`select k::text as everything from api_keys k where key_id = ${keyId}`
    expect(row?.['everything']).not.toContain(secret)
    expect(row?.['everything']).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  })

  // contract: API key › Step 3, a revoked key is refused, everywhere within a second
  test('revoked is refused everywhere within a second', async () => {
    const verify = verifier()
    const { keyId, apiKey } = await issue()
    expect(await verify(`ApiKey ${apiKey}`)).toMatchObject({ tenantId })
    expect(await revokeApiKey(database.db, { keyId })).toBe(true)
    now = new Date(now.getTime() + 1000)
    await expect(verify(`ApiKey ${apiKey}`)).rejects.toMatchObject(refused('KEY_REVOKED'))
    await expect(verifier()(`ApiKey ${apiKey}`)).rejects.toMatchObject(refused('KEY_REVOKED'))
  })

  test('is looked up only once while it is cached', async () => {
    const { keyId, apiKey } = await issue()
    const verify = verifier()
    await verify(`ApiKey ${apiKey}`)
    await database.db`delete from api_keys where key_id = ${keyId}`
    expect(await verify(`ApiKey ${apiKey}`)).toMatchObject({ tenantId })
    now = new Date(now.getTime() + 900)
    await expect(verify(`ApiKey ${apiKey}`)).rejects.toMatchObject(refused('KEY_UNKNOWN'))
  })

  // contract: API key › Step 1, split `<key_id>.<secret>`; step 2, find the key; step 4, compare:
  //   any failure is no tenant
  test('is refused alike when it is missing, malformed, unknown or wrong', async () => {
    const { keyId, apiKey } = await issue()
    const verify = verifier()
    const wrong = `${apiKey.slice(0, -2)}xx`
    const unusable: [header: string | undefined, reasonCode: ApiKeyRefusal][] = [
      [undefined, 'KEY_MISSING'],
      ['', 'KEY_MALFORMED'],
      ['ApiKey', 'KEY_MALFORMED'],
      [`Bearer ${apiKey}`, 'KEY_MALFORMED'],
      [apiKey, 'KEY_MALFORMED'],
      [`ApiKey ${keyId}`, 'KEY_MALFORMED'],
      [`ApiKey ${keyId}.`, 'KEY_MALFORMED'],
      [`ApiKey .${apiKey.split('.')[1]}`, 'KEY_MALFORMED'],
      [`ApiKey ${wrong}`, 'SECRET_WRONG'],
      [`ApiKey key_unknown.${apiKey.split('.')[1]}`, 'KEY_UNKNOWN'],
      [`ApiKey ${apiKey}.more`, 'KEY_MALFORMED'],
      [`ApiKey ${keyId}.${'x'.repeat(200)}`, 'KEY_MALFORMED'],
      [`ApiKey ${keyId}\0.x`, 'KEY_MALFORMED'],
    ]
    for (const [header, reasonCode] of unusable) {
      await expect(verify(header), header).rejects.toMatchObject(refused(reasonCode))
    }
  })

  test('that has expired is refused with that reason', async () => {
    const { keyId, apiKey } = await issue()
    await database.db`update api_keys set expires_at = now() where key_id = ${keyId}`
    await expect(verifier()(`ApiKey ${apiKey}`)).rejects.toMatchObject(refused('KEY_EXPIRED'))
  })
})
