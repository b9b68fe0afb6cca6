import { afterAll, expect, test } from 'vitest'
import { IS_FULL_RUN } from '../../testing/scope.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { json } from '../db/db.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { addEndpoint, setEndpoint } from './set-endpoint.ts'

const tenant = useWebhookTenant()
// They are no webhooks of the contract.
afterAll(() => tenant.database.db`truncate webhook_events cascade`)

const PER_SEC = 200
const ROUNDS = IS_FULL_RUN ? 300 : 5
const ROUND_MS = 100
/** The first tenant has half of the traffic, each of the others an eighth. */
const SHARES = [0, 0, 0, 0, 1, 2, 3, 4]
/** Endpoints of the first tenant, whose events go to one of them each. */
const ENDPOINTS = 4

async function addTenants(): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const { id } = await createTenant(tenant.database.db, { name: `Tenant ${n}` })
    await setEndpoint(tenant.deps, { tenantId: id, url: tenant.url })
    ids.push(id)
  }
  for (let n = 1; n < ENDPOINTS; n += 1) {
    await addEndpoint(tenant.deps, { tenantId: ids[0] ?? '', url: tenant.url })
  }
  return ids
}

async function recordAll(rows: readonly { tenantId: string; message: string }[]): Promise<void> {
  await tenant.database.db`
    with event as (
      insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body)
      select 'evt_' || gen_random_uuid(), "tenantId", 'webhook.test', now(), message, message,
             jsonb_build_object('data', jsonb_build_object('message', message))
        from jsonb_to_recordset(${json(rows)}) as rows ("tenantId" uuid, message text)
      returning id, tenant_id, stream_key
    ), endpoint as (
      select id, tenant_id, row_number() over tenants as n, count(*) over tenants as count
        from webhook_endpoints
      window tenants as (partition by tenant_id)
    )
    insert into webhook_deliveries (event_id, endpoint_id, stream_key, due_at)
    select event.id, endpoint.id, event.stream_key, clock_timestamp()
      from event
      join endpoint on endpoint.tenant_id = event.tenant_id
       and endpoint.n = 1 + abs(hashtext(event.id)) % endpoint.count
  `
  await tenant.database.db`select pg_notify('webhook_deliveries', '')`
}

/** Milliseconds from the record of each tenant's events to their first attempts. */
async function reportWaits(ids: readonly string[]): Promise<void> {
  const rows = await tenant.database.db<{ tenantId: string; waitsMs: number[] }[]>`
    select e.tenant_id as "tenantId",
           percentile_cont(array[0.5, 0.95]) within group (
             order by 1000 * extract(epoch from a.started_at - e.created_at)) as "waitsMs"
      from webhook_attempts a
      join webhook_deliveries d on d.id = a.delivery_id
      join webhook_events e on e.id = d.event_id
     where a.n = 1
     group by 1
  `
  const waits = ids.map((id) => {
    const [p50 = 0, p95 = 0] = rows.find(({ tenantId }) => tenantId === id)?.waitsMs ?? []
    return `${Math.round(p50)}/${Math.round(p95)}`
  })
  process.stdout.write(`waits in ms by tenant, p50/p95: ${waits.join(', ')}\n`)
}

test('more webhooks than the process can send are sent once each, and none of them is claimed too early', async () => {
  const ids = await addTenants()
  tenant.startWorkers()
  let recorded = 0
  let underWayMost = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = Array.from({ length: (PER_SEC * ROUND_MS) / 1000 }, () => {
      const share = SHARES[recorded % SHARES.length] ?? 0
      recorded += 1
      return { tenantId: ids[share] ?? '', message: `${share} ${recorded}` }
    })
    const next = new Promise((resolve) => setTimeout(resolve, ROUND_MS))
    await recordAll(rows)
    const [row] = await tenant.database.db<{ count: number }[]>`
      select count(*)::int as count from webhook_deliveries where lease_token is not null
    `
    underWayMost = Math.max(underWayMost, row?.count ?? 0)
    await next
  }
  await waitFor(() => new Set(tenant.messages()).size === recorded, 1_200_000)
  await reportWaits(ids)
  const doubled = tenant.received.length - recorded
  process.stdout.write(`most under way: ${underWayMost}, doubled: ${doubled} of ${recorded}\n`)
  expect(tenant.received).toHaveLength(recorded)
  expect(underWayMost).toBeLessThanOrEqual(256)
}, 1_500_000)
