import { type MediaServer, startMediaServer } from '@interview-room/media-server/src/server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestEnvironment } from './harness/test-environment.ts'
import { waitFor } from './harness/wait.ts'

const KEY = { id: 'e2ekey', secret: 'a-secret-that-only-this-test-knows' }

describe('attendance with the embedded media server', () => {
  const env = useTestEnvironment({ hasReceiver: true })

  test('logs the leaving of a killed browser within 10 s', async () => {
    const browser = await env.launchBrowser()
    const room = await env.tenant.book()
    await env.enter({ roomId: room.id, role: 'panelist', name: 'Killed' }, { browser })
    await waitFor(async () => (await env.tenant.entries(room.id)).length === 1, {
      what: 'one entry',
    })

    const session = await browser.newBrowserCDPSession()
    const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
      processInfo: { id: number; type: string }[]
    }
    for (const { id } of processInfo.toReversed()) process.kill(id, 'SIGKILL')

    const [entry] = await waitFor(
      async () => {
        const entries = await env.tenant.entries(room.id)
        return entries[0]?.left_at ? entries : undefined
      },
      { what: 'left_at is filled' },
    )
    expect(entry?.duration_sec).toBeGreaterThanOrEqual(0)
  })

  test('delivers the events that a receiver missed while it was down', async () => {
    const room = await env.tenant.book()
    await env.receiver.down()
    for (const name of ['First', 'Second', 'Third']) {
      await env.connectByHand({ roomId: room.id, role: 'observer', name })
    }
    await waitFor(async () => (await env.tenant.entries(room.id)).length === 3, {
      what: 'three entries',
    })
    await env.receiver.up()

    const ids = (await env.tenant.entries(room.id)).map((entry) => entry.id)
    await waitFor(
      () => {
        const delivered = env.receiver.received.map(
          (webhook) => webhook.data['entry_history_id'] as number,
        )
        return ids.every((id) => delivered.includes(id))
      },
      { what: 'every entry is reported' },
    )
    expect(env.receiver.received.every((webhook) => webhook.isVerified)).toBe(true)
  })
})

describe('attendance when every notification of the provider is lost', () => {
  let media: MediaServer

  beforeAll(async () => {
    // A media server that sends no webhooks.
    media = await startMediaServer({
      host: '127.0.0.1',
      port: 0,
      apiKeys: { [KEY.id]: KEY.secret },
    })
  })

  afterAll(async () => {
    await media?.close()
  })

  const env = useTestEnvironment({
    ownService: {
      env: () => ({
        LIVEKIT_URL: media.url,
        LIVEKIT_API_KEY: KEY.id,
        LIVEKIT_API_SECRET: KEY.secret,
      }),
    },
    hasBrowser: false,
    hasReceiver: true,
  })

  test('is complete within 30 s, and so are the webhooks', async () => {
    const room = await env.tenant.book()
    // Without a page, no connection is reported either: only the provider's lists remain.
    const people = [
      await env.connectByHand({ roomId: room.id, role: 'moderator', name: 'Mo' }),
      await env.connectByHand({ roomId: room.id, role: 'panelist', name: 'Pa' }),
    ]
    await waitFor(
      async () =>
        (await env.tenant.entries(room.id)).length === 2 &&
        env.receiver.received.filter((webhook) => webhook.type === 'participant.entered').length ===
          2,
      { what: 'two entries and two webhooks' },
    )

    for (const person of people) await person.leave()
    await waitFor(
      async () => (await env.tenant.entries(room.id)).every((entry) => entry.left_at !== null),
      {
        what: 'both are logged as left',
      },
    )
  })
})
