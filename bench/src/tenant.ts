import { generateKeyPairSync } from 'node:crypto'
import { actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { createClient } from '@interview-room/sdk/client.ts'
import { openDb } from '@interview-room/server/src/platform/db/db.ts'
import { addTokenKey } from '@interview-room/server/src/platform/tenants/add-token-key.ts'
import { createTenant } from '@interview-room/server/src/platform/tenants/create-tenant.ts'
import { issueApiKey } from '@interview-room/server/src/platform/tenants/issue-api-key.ts'
import { PUBLIC_URL } from './service-process.ts'

export interface BenchTenant {
  id: string
  apiKey: string
  /** Makes the API calls. */
  caller: Tenant
  /** Signs tokens of participants. */
  signer: Tenant
}

/**
 * Adds a tenant to a database that the service has migrated. Tokens name its public address; API calls go to the
 * port.
 */
export async function makeTenant(url: string, port: number): Promise<BenchTenant> {
  const db = openDb({ url, poolSize: 1, applicationName: 'bench-tenant' })
  try {
    const { id } = await createTenant(db, { name: 'Bench' })
    const { apiKey } = await issueApiKey(db, { tenantId: id, note: null })
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { kid: 'bench', alg: 'ES256' } as const
    await addTokenKey(db, {
      tenantId: id,
      ...key,
      publicJwk: publicKey.export({ format: 'jwk' }),
      allowedRoles: ['moderator', 'panelist', 'observer'],
    })
    const local = {
      base_url: PUBLIC_URL,
      tenant_id: id,
      api_key: apiKey,
      token_key: { ...key, private_jwk: privateKey.export({ format: 'jwk' }) },
      webhook: { url: '', secret: '' },
    }
    return {
      id,
      apiKey,
      signer: actAsTenant(local),
      caller: actAsTenant({ ...local, base_url: `http://127.0.0.1:${port}` }),
    }
  } finally {
    await db.end()
  }
}

export const livePath = (roomId: string) => `/api/v1/rooms/${roomId}/live`

interface Entrant {
  port: number
  roomId: string
  role: string
  name: string
}

/** Enters the room and returns the `Authorization` of the ticket. */
export async function enterRoom(
  { signer }: BenchTenant,
  { port, roomId, role, name }: Entrant,
): Promise<string> {
  const token = await signer.signToken({ roomId, role, name })
  const baseUrl = `http://127.0.0.1:${port}`
  const visitor = createClient({ baseUrl, authorization: `Bearer ${token}` })
  const { ticket } = await visitor.enterRoom({ params: { room_id: roomId } })
  return `Bearer ${ticket}`
}
