import { type MediaServer, startMediaServer } from '@interview-room/media-server/src/server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { join, launchBrowser, openAs } from './harness/browser.ts'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { freePort, removeDataDir, type Service, startService } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { waitFor } from './harness/wait.ts'

const KEY = { id: 'e2ekey', secret: 'a-secret-that-only-this-test-knows' }

async function setUpReceiver(service: Service): Promise<Receiver> {
  const receiver = await startReceiver(await freePort())
  const args = ['webhooks', 'set', '--tenant', service.local.tenant_id, '--url', receiver.url]
  const { secret } = (await service.admin(...args)) as { secret: string }
  receiver.secret = secret
  return receiver
}

describe('attendance with the embedded media server', () => {
  let service: Service
  let tenant: Tenant
  let receiver: Receiver

  beforeAll(async () => {
    service = await startService()
    tenant = actAsTenant(service.local)
    receiver = await setUpReceiver(service)
  })

  afterAll(async () => {
    await receiver?.down()
    await service?.stop()
    if (service !== undefined) removeDataDir(service.dataDir)
  })

  test('logs the leaving of a killed browser within 10 s', async () => {
    const browser = await launchBrowser()
    const room = await tenant.book()
    const link = await tenant.link({ roomId: room.id, role: 'panelist', name: 'Killed' })
    await join(await openAs(browser, link))
    await waitFor(async () => (await tenant.entries(room.id)).length === 1, { what: 'one entry' })

    const session = await browser.newBrowserCDPSession()
    const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
      processInfo: { id: number; type: string }[]
    }
    for (const { id } of processInfo.toReversed()) process.kill(id, 'SIGKILL')

    const [entry] = await waitFor(
      async () => {
        const entries = await tenant.entries(room.id)
        return entries[0]?.left_at ? entries : undefined
      },
      { what: 'left_at is filled', timeoutMs: 10_000 },
    )
    expect(entry?.duration_sec).toBeGreaterThanOrEqual(0)
  })

  test('delivers what a receiver missed while it was down', async () => {
    const browser = await launchBrowser()
    const room = await tenant.book()
    await receiver.down()
    for (const name of ['First', 'Second', 'Third']) {
      await join(
        await openAs(browser, await tenant.link({ roomId: room.id, role: 'observer', name })),
      )
    }
    await waitFor(async () => (await tenant.entries(room.id)).length === 3, {
      what: 'three entries',
    })
    await receiver.up()

    const ids = (await tenant.entries(room.id)).map((entry) => entry.id)
    await waitFor(
      () => {
        const told = receiver.received.map((webhook) => webhook.data['entry_history_id'] as number)
        return ids.every((id) => told.includes(id))
      },
      { what: 'every entry is told', timeoutMs: 90_000 },
    )
    expect(receiver.received.every((webhook) => webhook.isVerified)).toBe(true)
    await browser.close()
  })
})

describe('attendance when every notification of the provider is lost', () => {
  let media: MediaServer
  let service: Service
  let tenant: Tenant
  let receiver: Receiver

  beforeAll(async () => {
    // A media server that tells nobody anything.
    media = await startMediaServer({
      host: '127.0.0.1',
      port: 0,
      apiKeys: { [KEY.id]: KEY.secret },
    })
    service = await startService({
      env: { LIVEKIT_URL: media.url, LIVEKIT_API_KEY: KEY.id, LIVEKIT_API_SECRET: KEY.secret },
    })
    tenant = actAsTenant(service.local)
    receiver = await setUpReceiver(service)
  })

  afterAll(async () => {
    await receiver?.down()
    await service?.stop()
    await media?.close()
    if (service !== undefined) removeDataDir(service.dataDir)
  })

  test('is complete within 30 s, and so are the webhooks', async () => {
    const browser = await launchBrowser()
    const room = await tenant.book()
    for (const [role, name] of [
      ['moderator', 'Mo'],
      ['panelist', 'Pa'],
    ] as const) {
      const person = await openAs(browser, await tenant.link({ roomId: room.id, role, name }))
      // The browser's own report is lost too: only the provider's lists are left.
      await person.page.route('**/live/connected', (route) => route.abort())
      await join(person)
    }
    await waitFor(
      async () =>
        (await tenant.entries(room.id)).length === 2 &&
        receiver.received.filter((webhook) => webhook.type === 'participant.entered').length === 2,
      { what: 'two entries and two webhooks', timeoutMs: 30_000 },
    )

    await browser.close()
    await waitFor(
      async () => (await tenant.entries(room.id)).every((entry) => entry.left_at !== null),
      {
        what: 'both are logged as left',
        timeoutMs: 45_000,
      },
    )
  })
})
