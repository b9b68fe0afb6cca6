import { describe, expect, test } from 'vitest'
import { startDeliveryWorker } from '../platform/webhooks/delivery-worker.ts'
import { useAdminTenant } from '../testing/admin-commands.ts'
import { createTestDeps } from '../testing/deps.ts'

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

  test('that are set again say whose place they take, and never that of a removed endpoint', async () => {
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
