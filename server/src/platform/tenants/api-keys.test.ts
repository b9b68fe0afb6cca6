import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
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
  test('has a secret of 256 bit of which only a salted hash is kept', async () => {
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
    expect(await verify(`ApiKey ${apiKey}`)).toBeUndefined()
    expect(await verifier()(`ApiKey ${apiKey}`)).toBeUndefined()
  })

  test('is asked for once in the time it is believed, and not again', async () => {
    const { keyId, apiKey } = await issue()
    const verify = verifier()
    await verify(`ApiKey ${apiKey}`)
    await database.db`delete from api_keys where key_id = ${keyId}`
    expect(await verify(`ApiKey ${apiKey}`)).toMatchObject({ tenantId })
    now = new Date(now.getTime() + 900)
    expect(await verify(`ApiKey ${apiKey}`)).toBeUndefined()
  })

  // contract: API key › Step 1, split `<key_id>.<secret>`; step 2, find the key; step 4, compare:
  //   any failure is no tenant
  test('is refused alike when it is missing, malformed, unknown or wrong', async () => {
    const { keyId, apiKey } = await issue()
    const verify = verifier()
    const wrong = `${apiKey.slice(0, -2)}xx`
    const unusable = [
      undefined,
      '',
      'ApiKey',
      `Bearer ${apiKey}`,
      apiKey,
      `ApiKey ${keyId}`,
      `ApiKey ${keyId}.`,
      `ApiKey .${apiKey.split('.')[1]}`,
      `ApiKey ${wrong}`,
      `ApiKey key_unknown.${apiKey.split('.')[1]}`,
      `ApiKey ${apiKey}.more`,
      `ApiKey ${keyId}.${'x'.repeat(200)}`,
      `ApiKey ${keyId}\0.x`,
    ]
    for (const header of unusable) expect(await verify(header), header).toBeUndefined()
  })
})
