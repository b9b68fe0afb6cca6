import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { startDeliveryWorker } from '../platform/webhooks/delivery-worker.ts'
import { addEndpoint } from '../platform/webhooks/set-endpoint.ts'
import { useAdminTenant } from '../testing/admin-commands.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../testing/deps.ts'
import { openAdminDeps } from './open-deps.ts'
import { runAdmin } from './run-admin.ts'

const DAY_MS = 86_400_000

const admin = useAdminTenant()
const { run, json } = admin

describe('webhooks', () => {
  test('are set, listed, rotated, tested, paused, resumed, skipped and removed', async () => {
    const tenant = ['--tenant', admin.tenantId]
    const set = await json('webhooks', 'set', ...tenant, '--url', 'http://127.0.0.1:65000/hooks')
    expect(set.secret).toMatch(/^whsec_/)
    expect(await json('webhooks', 'list', ...tenant)).toMatchObject([
      { endpoint_id: set.endpoint_id, state: 'active' },
    ])
    const rotated = await json('webhooks', 'rotate', ...tenant)
    expect(rotated.secret).not.toBe(set.secret)

    const worker = startDeliveryWorker(createTestDeps({ db: admin.db }))
    try {
      const nobody = { outcome: 'econnrefused', status: null }
      const tested = await json('webhooks', 'test', ...tenant)
      expect(tested).toMatchObject(nobody)
      const event = ['--event', tested.event_id]
      expect(await json('webhooks', 'deliveries', ...tenant)).toMatchObject([
        { type: 'webhook.test', state: 'pending', attempts: 1, is_parked: false },
      ])
      expect(await json('webhooks', 'pause', ...tenant)).toEqual({ pending: 1 })
      expect(await json('webhooks', 'resume', ...tenant)).toMatchObject({ pending: 1, ...nobody })
      const again = await json('webhooks', 'redeliver', ...tenant, ...event)
      expect(again).toMatchObject({ queued: 1, ...nobody })
      const since = ['--since', '2020-01-01', '--type', 'webhook.test', '--dry-run']
      expect(await json('webhooks', 'redeliver', ...tenant, ...since)).toEqual({
        would_be_queued: 1,
      })
      expect(await json('webhooks', 'skip', ...tenant, ...event)).toMatchObject({
        state: 'cancelled',
      })
      expect((await run('webhooks', 'skip', ...tenant, ...event)).stderr).toContain('is pending')
      expect(await json('webhooks', 'remove', ...tenant)).toEqual({ cancelled: 0 })
      for (const command of ['test', 'pause', 'resume', 'remove']) {
        expect((await run('webhooks', command, ...tenant)).stderr).toContain('was removed')
      }
    } finally {
      await worker.stop()
    }
  })

  test.each([
    '7',
    'last 5',
    '2026-02-30',
    '2026-11-31T00:00:00Z',
    '2026-01-01T25:00',
    '01/02/2026',
  ])('are not sent again since %s, which is no date', async (since) => {
    const tenant = ['--tenant', admin.tenantId]
    const { exitCode, stderr } = await run('webhooks', 'redeliver', ...tenant, '--since', since)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--since must be a date')])
  })

  test.each(['2026-01-31', '2026-01-31T09:30', '2026-01-31 09:30', '2026-01-31T09:30:00.5+09:00'])(
    'are sent again since %s',
    async (since) => {
      const tenant = ['--tenant', admin.tenantId]
      await json('webhooks', 'set', ...tenant, '--url', 'http://127.0.0.1:65000/hooks')
      const { exitCode } = await run('webhooks', 'redeliver', ...tenant, '--since', since)
      expect(exitCode).toBe(0)
    },
  )

  test('of a period are listed with how far they are, and can be cancelled', async () => {
    const tenant = ['--tenant', admin.tenantId]
    await json('webhooks', 'set', ...tenant, '--url', 'http://127.0.0.1:65000/hooks')
    const started = await json('webhooks', 'redeliver', ...tenant, '--since', '2026-01-31')
    expect(started).toMatchObject({ state: 'done', events: started.queued })
    expect(await json('webhooks', 'replays', ...tenant, '--limit', '1')).toEqual([started])
    const { replay_id: id } = started
    await admin.db`update webhook_replays set state = 'running', finished_at = null where id = ${id}`
    const cancelled = await json('webhooks', 'cancel-replay', ...tenant, '--replay', id)
    expect(cancelled).toMatchObject({ replay_id: id, state: 'cancelled' })
    const unknown = ['--replay', admin.tenantId]
    expect(await run('webhooks', 'cancel-replay', ...tenant, ...unknown)).toMatchObject({
      exitCode: 1,
      stderr: `the tenant has no replay ${admin.tenantId}\n`,
    })
  })

  test('keep the old secret for a day, though the clock of this machine is two days behind', async () => {
    const tenant = ['--tenant', admin.tenantId]
    await json('webhooks', 'set', ...tenant, '--url', 'http://127.0.0.1:65000/hooks')
    const env = { ...TEST_ENVIRONMENT, DATABASE_URL: admin.url }
    const behind = () => new Date(Date.now() - 2 * DAY_MS)
    const args = ['webhooks', 'rotate', ...tenant, '--json']
    const { exitCode, stdout } = await runAdmin(args, () => openAdminDeps(env, behind))
    expect(exitCode).toBe(0)
    const leftMs = Date.parse(JSON.parse(stdout).previous_secrets_expire_at) - Date.now()
    expect(Math.round(leftMs / (DAY_MS / 24))).toBe(24)
  })

  test('that are set again name the endpoint that they replace, but never a removed one', async () => {
    const made = await json('tenants', 'create', '--name', 'Twice Ltd')
    const tenant = ['--tenant', made.tenant_id]
    const [first, second] = ['http://127.0.0.1:65000/one', 'http://127.0.0.1:65000/two']
    const set = (url: string) => json('webhooks', 'set', ...tenant, '--url', url)
    const one = await set(first)
    expect(one.replaced).toBeNull()
    const two = await set(second)
    expect(two).toMatchObject({
      endpoint_id: one.endpoint_id,
      url: second,
      replaced: { url: first, secret: 'ended' },
    })
    const text = await run('webhooks', 'set', ...tenant, '--url', second)
    expect(text.stdout).toContain(second)
    expect(text.stdout).toMatch(/^replaced +\{"url":/m)
    await json('webhooks', 'remove', ...tenant)
    expect((await set(first)).replaced).toBeNull()
  })

  test('to an invalid address are refused', async () => {
    const { exitCode, stderr } = await run(
      'webhooks',
      'set',
      '--tenant',
      admin.tenantId,
      '--url',
      'ftp://x',
    )
    expect(exitCode).toBe(1)
    expect(stderr).toBe(
      '--url must start with http:// or https:// (allowed here: any http or https address)\n',
    )
  })
})

const HOUR_MS = 3_600_000
const URL = 'http://127.0.0.1:65000/hooks'

const secretsOf = async (endpointId: string) =>
  admin.db<{ expiresAt: Date | null }[]>`
    select expires_at as "expiresAt" from webhook_secrets where endpoint_id = ${endpointId}
     order by created_at
  `

describe('webhooks of a tenant with several endpoints', () => {
  let tenant: string[]
  let first: { endpoint_id: string; secret: string }
  let second: { endpointId: string; secret: string }

  beforeAll(async () => {
    const made = await json('tenants', 'create', '--name', 'Several Ltd')
    tenant = ['--tenant', made.tenant_id]
    first = await json('webhooks', 'set', ...tenant, '--url', URL)
    const deps = createTestDeps({ db: admin.db })
    const added = await addEndpoint(deps, { tenantId: made.tenant_id, url: `${URL}/2` })
    if (added === undefined) throw new Error('no endpoint was added')
    second = added
  })

  test.each([
    ['set', '--url', URL],
    ['test'],
    ['rotate'],
    ['pause'],
    ['resume'],
    ['remove'],
    ['skip', '--event', 'evt_x'],
    ['redeliver', '--event', 'evt_x'],
  ])('%s says how to name one', async (command, ...options) => {
    expect(await run('webhooks', command, ...tenant, ...options)).toMatchObject({
      exitCode: 1,
      stderr:
        'the tenant has several webhook endpoints: name one with --endpoint <id>; `webhooks list` shows them\n',
    })
  })

  test('set gives the named one another address and secret, and leaves the others', async () => {
    const named = ['--endpoint', second.endpointId, '--url', `${URL}/moved`]
    const set = await json('webhooks', 'set', ...tenant, ...named)
    expect(set).toMatchObject({
      endpoint_id: second.endpointId,
      url: `${URL}/moved`,
      replaced: { url: `${URL}/2`, secret: 'ended' },
    })
    expect(set.secret).not.toBe(second.secret)
    expect(await secretsOf(second.endpointId)).toHaveLength(1)
    expect(await json('webhooks', 'list', ...tenant)).toMatchObject([
      { endpoint_id: first.endpoint_id, url: URL },
      { endpoint_id: second.endpointId, url: `${URL}/moved` },
    ])
  })

  test('rotate leaves the old secret for a day, or ends it immediately', async () => {
    const rotate = ['webhooks', 'rotate', ...tenant, '--endpoint', first.endpoint_id]
    const rotated = await json(...rotate)
    expect(Date.parse(rotated.previous_secrets_expire_at)).toBeGreaterThan(Date.now() + HOUR_MS)
    expect(await secretsOf(first.endpoint_id)).toMatchObject([
      { expiresAt: expect.any(Date) },
      { expiresAt: null },
    ])
    const ended = await json(...rotate, '--end-old')
    expect(Date.parse(ended.previous_secrets_expire_at)).toBeLessThanOrEqual(Date.now())
    expect(ended.secret).not.toBe(rotated.secret)
    expect(await secretsOf(first.endpoint_id)).toEqual([{ expiresAt: null }])
  })

  test.each([['set', '--url', URL], ['test'], ['rotate']])(
    '%s names an endpoint that the tenant does not have',
    async (command, ...options) => {
      const id = randomUUID()
      const args = [...tenant, '--endpoint', id, ...options]
      expect(await run('webhooks', command, ...args)).toMatchObject({
        exitCode: 1,
        stderr: `the tenant has no webhook endpoint ${id}; \`webhooks list\` shows them\n`,
      })
    },
  )
})

describe('webhooks of a tenant', () => {
  test.each([['test'], ['pause'], ['deliveries'], ['remove'], ['list']])(
    'that does not exist are refused by %s',
    async (command) => {
      const tenantId = randomUUID()
      expect(await run('webhooks', command, '--tenant', tenantId)).toMatchObject({
        exitCode: 1,
        stderr: `there is no tenant ${tenantId}\n`,
      })
    },
  )

  test('without an endpoint say how to make one', async () => {
    const made = await json('tenants', 'create', '--name', 'None Ltd')
    expect((await run('webhooks', 'test', '--tenant', made.tenant_id)).stderr).toBe(
      'the tenant has no webhook endpoint; `webhooks set` makes one\n',
    )
  })

  test.each([[[]], [['--dry-run']]])(
    'cannot redeliver an event that is not there %j',
    async (more) => {
      const made = await json('tenants', 'create', '--name', 'Redelivery Ltd')
      const tenant = ['--tenant', made.tenant_id]
      await json('webhooks', 'set', ...tenant, '--url', URL)
      const redeliver = ['webhooks', 'redeliver', ...tenant, '--event', 'evt_unknown', ...more]
      expect(await run(...redeliver)).toMatchObject({
        exitCode: 1,
        stderr: 'the tenant has no webhook event evt_unknown of the last 30 days\n',
      })
      const since = ['--since', '2020-01-01', ...more]
      expect(await run('webhooks', 'redeliver', ...tenant, ...since)).toMatchObject({ exitCode: 0 })
    },
  )
})
