import { generateKeyPairSync } from 'node:crypto'
import path from 'node:path'
import { AS_BY_DEFAULT, actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { openDb } from '@interview-room/server/src/db/db.ts'
import { addTokenKey } from '@interview-room/server/src/tenants/add-token-key.ts'
import { createTenant } from '@interview-room/server/src/tenants/create-tenant.ts'
import { issueApiKey } from '@interview-room/server/src/tenants/issue-api-key.ts'
import { startProviderStub } from '../control-plane/provider-stub.ts'
import { startDatabase } from '../database.ts'
import { startNode } from '../node-process.ts'
import { PUBLIC_URL, startServiceProcess } from '../service-process.ts'
import type { Source } from './reader.ts'
import { SENDER } from './sender.ts'

/** Where messages are posted and read: the service, or the floor. */
export interface Side {
  /** The process that is measured. */
  pid: number
  port: number
  post: { path: string; authorization: string }
  /** The panelist first, then observers. */
  sources: readonly Source[]
}

export interface Stage {
  service: Side
  raw: Side
  close: () => Promise<void>
}

/** A room with a moderator, a panelist and observers; `readers` are the last two together. */
export async function setStage(readers: number): Promise<Stage> {
  const closers: (() => Promise<void>)[] = []
  async function close(): Promise<void> {
    for (const stop of closers.toReversed()) await stop()
  }
  try {
    const database = await startDatabase({ isDurable: true })
    closers.push(database.stop)
    const provider = await startProviderStub()
    closers.push(provider.stop)
    // One person does not write twenty messages in a second; the limit is not what is measured.
    const settings = { CHAT_MESSAGES_PER_MIN: '100000' }
    const process = await startServiceProcess(database, provider, settings)
    closers.push(process.stop)
    const raw = await startNode({
      command: ['scripts/run.mjs', 'bench/src/live-stream/fan-out-server.ts'],
      logFile: path.join(database.folder, 'raw.log'),
      env: {},
    })
    closers.push(raw.stop)
    const room = await fillRoom({ url: database.url, port: process.port, readers })
    return {
      service: { pid: process.pid, port: process.port, ...room },
      raw: rawSide({ pid: raw.pid, port: Number(raw.firstLine) }, readers),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function rawSide({ pid, port }: { pid: number; port: number }, readers: number): Side {
  const source = { port, path: '/stream', authorization: 'none' }
  return {
    pid,
    port,
    post: { path: '/messages', authorization: 'none' },
    sources: Array.from({ length: readers }, () => source),
  }
}

interface Filling {
  url: string
  port: number
  readers: number
}

async function fillRoom({ url, port, readers }: Filling): Promise<Pick<Side, 'post' | 'sources'>> {
  const { caller, signer } = await makeTenant(url, port)
  const { id: roomId } = await caller.book({ room: AS_BY_DEFAULT })
  const live = `/api/v1/rooms/${roomId}/live`

  async function enter(role: string, name: string): Promise<string> {
    const token = await signer.signToken({ roomId, role, name })
    const answer = await fetch(`http://127.0.0.1:${port}${live}/entry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(20_000),
    })
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: { ticket: string } }
    return `Bearer ${data.ticket}`
  }

  const moderator = await enter('moderator', SENDER)
  const sources: Source[] = []
  for (let n = 0; n < readers; n += 1) {
    const role = n === 0 ? 'panelist' : 'observer'
    const authorization = await enter(role, `Reader ${n}`)
    sources.push({ port, path: `${live}/stream`, authorization })
  }
  return { post: { path: `${live}/messages`, authorization: moderator }, sources }
}

/** The service has migrated the database by now. Tokens are for its public address, calls are not. */
async function makeTenant(url: string, port: number): Promise<{ caller: Tenant; signer: Tenant }> {
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
      signer: actAsTenant(local),
      caller: actAsTenant({ ...local, base_url: `http://127.0.0.1:${port}` }),
    }
  } finally {
    await db.end()
  }
}
