import { expect, test } from 'vitest'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { openDb } from '../db/db.ts'
import { startDeliveryWorker } from './delivery-worker.ts'

const tenant = useWebhookTenant()

test('a webhook that arrives while the database is away is sent once', async () => {
  const way = await startFaultProxy(tenant.database.url)
  const db = openDb({ url: way.url, poolSize: 4, applicationName: 'outage' })
  const worker = startDeliveryWorker({ ...tenant.deps, db })
  tenant.delay = async () => {
    tenant.delay = async () => {}
    await way.refuse()
    await waitFor(() => db.isLost())
  }
  await tenant.record('once')
  await waitFor(() => db.isLost())
  await way.mend()
  await waitFor(async () => (await tenant.deliveries())[0]?.['state'] === 'succeeded')
  expect(tenant.messages()).toEqual(['once'])
  await worker.stop()
  await db.end()
  await way.close()
})
