import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointsOf } from '../../platform/webhooks/manage-webhooks.ts'
import { addEndpoint, setEndpoint } from '../../platform/webhooks/set-endpoint.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTestDeps } from '../../testing/deps.ts'
import { ensureDemoTenant } from './demo-tenant.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'demo-tenant-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

function startAt(port: number, publicUrl = `http://localhost:${port}`) {
  const deps = createTestDeps({ db: database.db })
  const webhooks = { targets: { reach: 'loopback', allowHttp: true } } as const
  const here = { ...deps, config: { ...deps.config, host: '0.0.0.0', port, publicUrl, webhooks } }
  return { deps: here, start: () => ensureDemoTenant(here, folder) }
}
const urlsOf = async (tenantId: string) =>
  (await endpointsOf({ db: database.db }, tenantId)).map(({ url }) => url).toSorted()

test('a start at another address moves the endpoint of the playground, and no other', async () => {
  const first = startAt(3000)
  const { local } = await first.start()
  const own = 'http://localhost:4000/webhooks'
  await addEndpoint(first.deps, { tenantId: local.tenant_id, url: own })

  const moved = (await startAt(3100).start()).local
  const playground = 'http://127.0.0.1:3100/playground/webhook'
  expect(moved.webhook).toEqual({ url: playground, secret: local.webhook.secret })
  expect(await urlsOf(local.tenant_id)).toEqual([playground, own])
})

test('a start in a private network sends the webhooks of the playground to this machine', async () => {
  const { local } = await startAt(3100, 'http://192.168.1.5:3100').start()
  expect(local).toMatchObject({
    base_url: 'http://192.168.1.5:3100',
    webhook: { url: 'http://127.0.0.1:3100/playground/webhook' },
  })
})

test('a start on a private address names the setting that lets the playground get its webhooks', async () => {
  const { deps } = startAt(3100)
  const there = { ...deps, config: { ...deps.config, host: '192.168.1.5' } }
  await expect(ensureDemoTenant(there, folder)).rejects.toThrow(
    /at http:\/\/192\.168\.1\.5:3100\/.* WEBHOOKS_ALLOW_PRIVATE_TARGETS/,
  )
})

test('a start at another address keeps an endpoint that somebody has set manually', async () => {
  const { deps, start } = startAt(3100)
  const { local } = await start()
  const tenantId = local.tenant_id
  const [theirs] = await endpointsOf(deps, tenantId)
  await database.db`update webhook_endpoints set state = 'disabled' where id <> ${theirs!.id}`
  await setEndpoint(deps, { tenantId, url: 'http://localhost:4000/theirs' })
  await startAt(3200).start()
  expect(await urlsOf(tenantId)).toContain('http://localhost:4000/theirs')
  expect(await urlsOf(tenantId)).not.toContain('http://127.0.0.1:3200/playground/webhook')
})
