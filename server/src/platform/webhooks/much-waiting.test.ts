import { afterAll, describe, expect, test } from 'vitest'
import { runJobs } from '../../testing/run-jobs.ts'
import { useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { inTransaction } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { changeEndpoint, removeWebhooks } from './manage-webhooks.ts'
import { sweepWebhooksJob } from './sweep-webhooks.job.ts'

const tenant = useWebhookTenant()

// They are no webhooks of the contract.
afterAll(() => tenant.database.db`truncate webhook_events cascade`.then(() => {}))

const states = async () => new Set((await tenant.deliveries()).map(({ state }) => state))

async function sweep(): Promise<void> {
  const job = sweepWebhooksJob(tenant.deps)
  await enqueue(tenant.database.db, job.schedule)
  await runJobs(tenant.database.db, job)
}

/** Records 2500 events of 800 resources. Every third delivery waits for another one, and every third is parked. */
async function fill(): Promise<void> {
  const { db } = tenant.database
  await db`
    insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body)
    select 'evt_' || gen_random_uuid(), ${tenant.tenantId}, 'webhook.test', now(), 'stream ' || n % 800, n, '{}'
      from generate_series(1, 2500) n
  `
  await db`
    insert into webhook_deliveries (event_id, endpoint_id, stream_key, due_at, parked_at)
    select e.id, p.id, e.stream_key, case when e.seq % 3 <> 0 then now() end,
           case when e.seq % 3 = 1 then now() end
      from webhook_events e
      join webhook_endpoints p on p.tenant_id = e.tenant_id
     where e.tenant_id = ${tenant.tenantId}
  `
}

/** The number of deliveries that each statement changes, from now on. */
async function countChanges(): Promise<() => Promise<number[]>> {
  const { db } = tenant.database
  await db`drop table if exists changes`
  await db`create table changes (id bigint generated always as identity, count integer)`
  await db`
    create or replace function count_changes() returns trigger language plpgsql as $$
    begin
      insert into changes (count) select count(*) from changed;
      return null;
    end $$
  `
  await db`
    create or replace trigger count_changes after update on webhook_deliveries
      referencing new table as changed for each statement execute function count_changes()
  `
  return async () => {
    const rows = await db<{ count: number }[]>`select count from changes order by id`
    return rows.map(({ count }) => count)
  }
}

test('resuming an endpoint makes its deliveries due in parts, within the statement timeout', async () => {
  await fill()
  await tenant.database.db`
    update webhook_deliveries set due_at = now() + interval '1 hour' where due_at is not null
  `
  const changes = await countChanges()
  const { id } = await tenant.endpoint()
  await changeEndpoint(tenant.deps, id, { state: 'active' })
  expect(Math.max(...(await changes()))).toBeLessThanOrEqual(1000)
  const late = (await tenant.deliveries()).filter(({ due_at }) => due_at > new Date())
  expect(late).toEqual([])
})

describe('an endpoint that is removed', () => {
  test('has its deliveries cancelled in parts, within the statement timeout', async () => {
    await fill()
    const changes = await countChanges()
    expect(await removeWebhooks(tenant.deps, await tenant.endpoint())).toEqual({ cancelled: 2500 })
    expect(Math.max(...(await changes()))).toBeLessThanOrEqual(1000)
    expect(await states()).toEqual(new Set(['cancelled']))
  })

  test('keeps no event waiting that was recorded at the same moment', async () => {
    const endpoint = await tenant.endpoint()
    await inTransaction(tenant.database.db, async (tx) => {
      await tenant.recordIn(tx, 'late', 'late')
      await removeWebhooks(tenant.deps, endpoint)
    })
    expect(await states()).toEqual(new Set(['pending']))
    await sweep()
    expect(await states()).toEqual(new Set(['cancelled']))
  })
})
