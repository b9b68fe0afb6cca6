import { describe, expect, test } from 'vitest'
import { waitFor } from '../../testing/wait-for.ts'
import { useWebhookTenant } from '../../testing/webhook-tenant.ts'
import { inTransaction } from '../db/db.ts'
import { claimDeliveries } from './delivery-store.ts'
import {
  changeEndpoint,
  countRedelivery,
  pauseWebhooks,
  removeWebhooks,
  resumeWebhooks,
  testWebhooks,
} from './manage-webhooks.ts'
import { startReplay } from './replay-webhooks.ts'
import { ATTEMPTS_MAX } from './schedule.ts'
import { setEndpoint } from './set-endpoint.ts'

const tenant = useWebhookTenant()

describe('the breaker', () => {
  // contract: Webhook envelope and signature › Five failures of several events pause an endpoint,
  //   and are probed
  test('opens after five failures of several events, counts its probes, and drains after a success', async () => {
    tenant.answer = { status: 500 }
    await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 4, failed_events = 1, failed_event_id = 'evt_before'
    `
    await tenant.record('a')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.failuresNow())?.['isOpen'] === true)
    for (const name of ['b', 'c', 'd']) await tenant.record(name)
    expect(tenant.received).toHaveLength(1)

    await tenant.makeDue()
    // The oldest and the newest.
    await waitFor(() => tenant.received.length === 3)
    expect(tenant.messages()).toEqual([
      'a',
      expect.stringMatching(/^[ad]$/),
      expect.stringMatching(/^[ad]$/),
    ])
    await waitFor(async () =>
      (await tenant.deliveries()).every((each) => each['lease_token'] === null),
    )
    // Both belong to one probe, and the next one follows after twice the pause.
    expect((await tenant.failuresNow())?.['failures']).toBe(6)
    expect(await tenant.secondsToProbe()).toBeGreaterThan(45)
    expect(await tenant.secondsToProbe()).toBeLessThan(61)
    const made = (await tenant.deliveries()).map(({ attempt, attempts_made }) => [
      attempt,
      attempts_made,
    ])
    expect(made).toEqual([
      [1, 2],
      [0, 0],
      [0, 0],
      [0, 1],
    ])

    tenant.answer = { status: 200 }
    await tenant.makeDue()
    await waitFor(async () =>
      (await tenant.deliveries()).every((each) => each['state'] === 'succeeded'),
    )
    expect(new Set(tenant.messages())).toEqual(new Set(['a', 'b', 'c', 'd']))
  })

  test('probes after 30 s, however many deliveries were under way when the receiver failed', async () => {
    await tenant.database.db`update webhook_endpoints set parallel = 40`
    tenant.answer = { status: 503 }
    tenant.delay = async () => waitFor(() => tenant.received.length === 40)
    for (let n = 0; n < 40; n += 1) await tenant.record(`r${n}`)
    tenant.startWorkers()
    await waitFor(async () =>
      (await tenant.deliveries()).every(({ attempts_made }) => attempts_made === 1),
    )
    expect(await tenant.failuresNow()).toEqual({ failures: 5, isOpen: true })
    expect(await tenant.secondsToProbe()).toBeGreaterThan(15)
    expect(await tenant.secondsToProbe()).toBeLessThan(31)
  })

  test('probes after 30 s even if one event alone had failed often before', async () => {
    tenant.answer = { status: 500 }
    await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 9, failed_events = 1, failed_event_id = 'evt_before'
    `
    await tenant.record('another')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.failuresNow())?.['isOpen'] === true)
    expect(await tenant.secondsToProbe()).toBeLessThan(31)
  })

  // contract: Webhook envelope and signature › The pause of a failing endpoint heeds `Retry-After`, up to
  //   a quarter of an hour
  test.each([
    ['120', 110, 121],
    ['86400', 890, 901],
  ])(
    'gives a receiver that asks for %s s more time, a quarter of an hour at most',
    async (asked, from, to) => {
      tenant.answer = { status: 503, headers: { 'retry-after': asked } }
      await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 4, failed_events = 1, failed_event_id = 'evt_before'
    `
      await tenant.record('a')
      tenant.startWorkers()
      await waitFor(async () => (await tenant.failuresNow())?.['isOpen'] === true)
      expect(await tenant.secondsToProbe()).toBeGreaterThan(from)
      expect(await tenant.secondsToProbe()).toBeLessThan(to)
    },
  )

  // contract: Webhook envelope and signature › One event that is refused holds back its own
  //   resource alone
  test('stays closed while one event is refused and all others are accepted', async () => {
    tenant.refused.add('poison')
    await tenant.record('poison', 'room')
    tenant.startWorkers()
    for (let attempts = 1; attempts <= 7; attempts += 1) {
      await waitFor(async () => {
        const [poison] = await tenant.deliveries()
        return poison?.['attempts_made'] === attempts && poison['lease_token'] === null
      })
      await tenant.makeDue()
    }
    for (let n = 0; n < 20; n += 1) await tenant.record(`good ${n}`)
    await waitFor(() => tenant.messages().filter((each) => each.startsWith('good')).length === 20)
    expect(await tenant.failuresNow()).toEqual({ failures: 0, isOpen: false })
  })

  test('stays closed while only one event is answered with 500', async () => {
    tenant.answer = { status: 500 }
    await tenant.record('alone')
    tenant.startWorkers()
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      await waitFor(async () => {
        const [alone] = await tenant.deliveries()
        return alone?.['attempt'] === attempts && alone['lease_token'] === null
      })
      await tenant.makeDue()
    }
    expect((await tenant.failuresNow())?.['isOpen']).toBe(false)
  })

  test('opens for an unreachable receiver, and a test by the operator probes it immediately', async () => {
    await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 9, failed_events = 3, next_probe_at = now() + interval '1 hour'
    `
    await tenant.record('waits')
    tenant.startWorkers()
    expect(await testWebhooks(tenant.deps, await tenant.endpoint())).toMatchObject({
      status: 204,
      errorClass: null,
    })
    await waitFor(() => tenant.messages().includes('waits'))
    expect(await tenant.failuresNow()).toEqual({ failures: 0, isOpen: false })
  })

  test('is closed by the operator’s command, which shows the first answer', async () => {
    tenant.answer = { status: 503 }
    await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 9, failed_events = 3, next_probe_at = now() + interval '1 hour'
    `
    await tenant.record('waits')
    tenant.startWorkers()
    const { pending, outcome } = await resumeWebhooks(tenant.deps, await tenant.endpoint())
    expect(pending).toBe(1)
    expect(outcome).toMatchObject({ status: 503, errorClass: 'http_503' })
  })
})

/** After its sixth attempt: half an hour at least, so that no test runs into the next one. */
async function failSixth(name: string): Promise<void> {
  await inTransaction(tenant.database.db, async (tx) => {
    await tenant.recordIn(tx, name, name)
    await tx`update webhook_deliveries set attempt = 5 where attempts_made = 0`
  })
  await waitFor(async () => {
    const last = (await tenant.deliveries()).at(-1)
    return last?.['attempts_made'] === 1 && last['lease_token'] === null
  })
}

/** Attempts and due time of each pending delivery. */
async function pauses() {
  const pending = (await tenant.deliveries()).filter(({ state }) => state === 'pending')
  return pending.map(({ attempts_made, due_at }) => ({ attempts_made, due_at }))
}

async function openBreaker(): Promise<void> {
  await tenant.database.db`
    update webhook_endpoints
       set consecutive_failures = 9, failed_events = 3, next_probe_at = clock_timestamp()
  `
}

describe('the pause of an event', () => {
  // contract: Webhook envelope and signature › A success of another event does not shorten the pause
  test.each([
    ['500', { status: 500 }, 1400],
    ['503 and asks for two hours', { status: 503, headers: { 'retry-after': '7200' } }, 7190],
  ])(
    'that is answered with %s lasts while twenty others are taken',
    async (_name, answer, fromSec) => {
      tenant.answers.set('alone', answer)
      tenant.startWorkers()
      await failSixth('alone')
      const before = await pauses()
      expect(new Date(before[0]?.due_at).getTime() - Date.now()).toBeGreaterThan(fromSec * 1000)

      for (let n = 0; n < 20; n += 1) await tenant.record(`good ${n}`)
      await waitFor(async () => (await pauses()).length === 1)
      expect(await pauses()).toEqual(before)
      expect(await tenant.failuresNow()).toEqual({ failures: 0, isOpen: false })
    },
  )

  // contract: Webhook envelope and signature › A breaker that closes makes due what waited for the
  //   endpoint, not what the receiver refused or asked to get later
  test('ends with an outage, unless the receiver refused the event or asked for time', async () => {
    tenant.answers.set('failed', { status: 500 })
    tenant.answers.set('refused', { status: 422 })
    tenant.answers.set('later', { status: 503, headers: { 'retry-after': '80000' } })
    tenant.answers.set('away', { status: 503 })
    tenant.startWorkers()
    for (const name of ['failed', 'refused', 'later', 'away']) await failSixth(name)
    const others = (await pauses()).slice(1, 3)

    tenant.answers.clear()
    await openBreaker()
    await tenant.record('probe')
    await waitFor(async () => (await pauses()).length === 2)
    expect(tenant.messages().slice(0, 5)).toEqual(['failed', 'refused', 'later', 'away', 'probe'])
    expect(tenant.messages().slice(5).toSorted()).toEqual(['away', 'failed'])
    expect(await pauses()).toEqual(others)
  })

  test('is the one that a probe asked for with 429, which closes the breaker', async () => {
    tenant.answer = { status: 429, headers: { 'retry-after': '7200' } }
    await openBreaker()
    await tenant.record('probe')
    tenant.startWorkers()
    await waitFor(async () => (await tenant.failuresNow())?.['isOpen'] === false)
    const [probe] = await pauses()
    expect(new Date(probe?.due_at).getTime() - Date.now()).toBeGreaterThan(7_190_000)
  })
})

describe('an outage of six days', () => {
  test('is made up for, in order within each resource', async () => {
    await tenant.database.db`
      update webhook_endpoints
         set consecutive_failures = 300, failed_events = 9, next_probe_at = now() + interval '1 minute'
    `
    for (let n = 0; n < 200; n += 1) await tenant.record(`r${n % 20} ${n}`, `r${n % 20}`)
    await tenant.database.db`
      update webhook_deliveries
         set created_at = created_at - interval '6 days', due_at = due_at - interval '6 days'
    `
    tenant.startWorkers(2)
    await tenant.makeDue()
    await waitFor(async () =>
      (await tenant.deliveries()).every(({ state }) => state === 'succeeded'),
    )
    expect(tenant.received).toHaveLength(200)
    for (let stream = 0; stream < 20; stream += 1) {
      const numbers = tenant
        .messages()
        .filter((each) => each.startsWith(`r${stream} `))
        .map((each) => Number(each.split(' ')[1]))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })
})

describe('an endpoint', () => {
  test('that is paused gets nothing until it is resumed', async () => {
    await pauseWebhooks(tenant.deps, await tenant.endpoint())
    await tenant.record('later')
    tenant.startWorkers()
    expect(await claimDeliveries(tenant.database.db, { limit: 9, slowLimit: 9 })).toEqual([])
    await resumeWebhooks(tenant.deps, await tenant.endpoint())
    expect(tenant.messages()).toEqual(['later'])
  })

  test('that is removed gets nothing any more, and waiting events are cancelled', async () => {
    await tenant.record('before')
    expect(await removeWebhooks(tenant.deps, await tenant.endpoint())).toEqual({ cancelled: 1 })
    await tenant.record('after')
    expect((await tenant.deliveries()).map(({ state }) => state)).toEqual(['cancelled'])
  })
})

describe('a redelivery', () => {
  test('sends events recorded before there was an endpoint, in order within a resource', async () => {
    await tenant.database.db`delete from webhook_endpoints where tenant_id = ${tenant.tenantId}`
    for (let n = 0; n < 6; n += 1) await tenant.record(`r${n % 2} ${n}`, `r${n % 2}`)
    await setEndpoint(tenant.deps, { tenantId: tenant.tenantId, url: tenant.url })
    // The type of what the tests record; unless it is named, a replay leaves it out.
    const wanted = tenant.wanted({ since: new Date(0), type: 'webhook.test' })
    expect(await countRedelivery(tenant.deps, wanted, await tenant.endpoint())).toBe(6)
    tenant.startWorkers()
    const receiver = await tenant.endpoint()
    const period = { ...wanted, since: new Date(0) }
    const replay = await startReplay(tenant.deps, period, receiver)
    expect(replay).toMatchObject({ state: 'done', events: 6, queued: 6 })
    await waitFor(() => tenant.received.length === 6)
    for (const stream of ['r0', 'r1']) {
      const numbers = tenant
        .messages()
        .filter((each) => each.startsWith(stream))
        .map((each) => Number(each.slice(3)))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })

  test('takes events of one type', async () => {
    await tenant.record('reported')
    const since = new Date(0)
    const none = tenant.wanted({ since, type: 'recording.status_changed' })
    expect(await countRedelivery(tenant.deps, none, await tenant.endpoint())).toBe(0)
    expect(
      await countRedelivery(
        tenant.deps,
        tenant.wanted({ since, type: 'webhook.test' }),
        await tenant.endpoint(),
      ),
    ).toBe(1)
  })
})

interface LateAnswer {
  status: number
  /** Attempts that the delivery has used before. */
  spent?: number
  /** The new address answers only after this. */
  until?: Promise<void>
}

/** The answer to an attempt that began before its endpoint moved. */
async function answerAfterMove({
  status,
  spent = 0,
  until = Promise.resolve(),
}: LateAnswer): Promise<void> {
  const moved = Promise.withResolvers<void>()
  tenant.answers.set('late', { status })
  tenant.delay = (message) => (message === 'late' ? moved.promise : Promise.resolve())
  await tenant.record('late')
  await tenant.database.db`update webhook_deliveries set attempt = ${spent}`
  tenant.startWorkers()
  await waitFor(() => tenant.received.length === 1)
  const { id } = await tenant.endpoint()
  await changeEndpoint(tenant.deps, id, { url: `${tenant.url}/new` })
  tenant.answers.delete('late')
  tenant.delay = () => until
  moved.resolve()
}

describe('an endpoint that moves while a webhook is under way', () => {
  test('is not ended by a 410 of the old address: the event goes to the new one', async () => {
    await answerAfterMove({ status: 410 })
    await waitFor(async () => (await tenant.deliveries())[0]?.['state'] === 'succeeded')
    expect(tenant.messages()).toEqual(['late', 'late'])
    expect((await tenant.endpoint()).state).toBe('active')
  })

  test('keeps no failures of the old address', async () => {
    const seen = Promise.withResolvers<void>()
    await answerAfterMove({ status: 500, until: seen.promise })
    await waitFor(async () => (await tenant.deliveries())[0]?.['attempts_made'] === 1)
    expect(await tenant.failuresNow()).toEqual({ failures: 0, isOpen: false })
    seen.resolve()
  })

  test.each([500, 422])('uses up no attempt on a %d of the old address', async (status) => {
    await answerAfterMove({ status, spent: ATTEMPTS_MAX - 1 })
    await waitFor(async () => (await tenant.deliveries())[0]?.['state'] !== 'pending')
    expect(await tenant.deliveries()).toMatchObject([{ state: 'succeeded', attempts_made: 2 }])
    expect(tenant.messages()).toEqual(['late', 'late'])
  })
})

/** Opens the breaker of an address that works again afterwards. The next probe is in eight minutes. */
async function failBefore(): Promise<string> {
  tenant.answer = { status: 500 }
  await tenant.database.db`
    update webhook_endpoints
       set consecutive_failures = 8, failed_events = 1, failed_event_id = 'evt_before'
  `
  await tenant.record('a')
  tenant.startWorkers()
  await waitFor(async () => (await tenant.failuresNow())?.['isOpen'] === true)
  tenant.answer = { status: 200 }
  return (await tenant.endpoint()).id
}

describe('an endpoint that moves', () => {
  test('gets waiting events immediately, whatever failed at the old address', async () => {
    const id = await failBefore()
    await changeEndpoint(tenant.deps, id, { url: `${tenant.url}/new` })
    const isSent = async () => (await tenant.deliveries())[0]?.['state'] === 'succeeded'
    await waitFor(isSent, 30_000)
    expect(await tenant.failuresNow()).toEqual({ failures: 0, isOpen: false })
  })

  test('gets them also when the operator moves it on the command line', async () => {
    await failBefore()
    await tenant.database.db`
      update webhook_deliveries set due_at = clock_timestamp() + interval '1 hour'
    `
    await setEndpoint(tenant.deps, { tenantId: tenant.tenantId, url: `${tenant.url}/new` })
    await waitFor(async () => (await tenant.deliveries())[0]?.['state'] === 'succeeded', 30_000)
  })

  test('keeps its breaker if the address is the same', async () => {
    const id = await failBefore()
    const { url } = await tenant.endpoint()
    await changeEndpoint(tenant.deps, id, { url, description: 'New' })
    expect((await tenant.failuresNow())?.['isOpen']).toBe(true)
  })

  test('stays paused', async () => {
    const { id } = await tenant.endpoint()
    await changeEndpoint(tenant.deps, id, { state: 'paused' })
    await changeEndpoint(tenant.deps, id, { url: `${tenant.url}/new` })
    expect((await tenant.endpoint()).state).toBe('paused')
  })
})
