import { beforeAll, describe, expect, test } from 'vitest'
import {
  framesShown,
  inboundAudio,
  inboundVideoBytes,
  type Person,
  peerConnectionText,
} from './harness/browser.ts'
import { CLOCK_CAMERA, frameAgeMs } from './harness/clock-camera.ts'
import { COUNT_DEVICE_REQUESTS, deviceRequests } from './harness/device-requests.ts'
import { firstTitled, quickest } from './harness/moments.ts'
import { toggleSaving } from './harness/reach-states.ts'
import { control, leftPage, refusal, refusalTitle, tile } from './harness/room-page.ts'
import { AS_BY_DEFAULT, type Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { waitFor } from './harness/wait.ts'
import { consentText } from './harness/words.ts'

const MODERATOR = 'Mori Moderator'
const PANELIST = 'Pana Panelist'
const OBSERVER = 'Obi Observer'
const AT_ONCE_MS = 1_000

const env = useTestEnvironment({ hasReceiver: true })
let room: Room
const people: Record<string, Person> = {}

function person(name: string): Person {
  const found = people[name]
  if (found === undefined) throw new Error(`${name} has not opened a page`)
  return found
}

beforeAll(async () => {
  room = await env.tenant.book({ room: AS_BY_DEFAULT })
  for (const [role, name, before] of [
    ['moderator', MODERATOR, CLOCK_CAMERA],
    ['panelist', PANELIST, COUNT_DEVICE_REQUESTS],
    ['observer', OBSERVER, COUNT_DEVICE_REQUESTS],
  ] as const) {
    people[name] = await env.enter({ roomId: room.id, role, name }, { before, hasDevices: true })
  }
})

async function expectVideoAdvances(watcher: string, watched: string): Promise<void> {
  const { page } = person(watcher)
  const before = await waitFor(async () => (await framesShown(page, watched)) || undefined, {
    what: `${watcher} sees a frame of ${watched}`,
  })
  await waitFor(async () => (await framesShown(page, watched)) > before + 10, {
    what: `${watcher} sees the frames of ${watched} advance`,
  })
}

const firstRoom = () => ({
  id: room.id,
  pages: [MODERATOR, PANELIST].map((name) => person(name).page),
})

/** With a moderator and a panelist in it, too. */
async function anotherRoom() {
  const { id } = await env.tenant.book()
  const entered = [
    await env.enter({ roomId: id, role: 'moderator', name: MODERATOR }, { hasDevices: true }),
    await env.enter({ roomId: id, role: 'panelist', name: PANELIST }, { hasDevices: true }),
  ]
  return { id, pages: entered.map(({ page }) => page) }
}

describe('the first interview', () => {
  test('lets moderator and panelist see each other', async () => {
    await expectVideoAdvances(MODERATOR, PANELIST)
    await expectVideoAdvances(PANELIST, MODERATOR)
  })

  test('lets moderator and panelist hear each other', async () => {
    for (const name of [MODERATOR, PANELIST]) {
      await waitFor(async () => (await inboundAudio(person(name).page)).packets > 50, {
        what: `${name} receives audio`,
      })
    }
  })

  test('lets the observer see and hear both', async () => {
    await expectVideoAdvances(OBSERVER, MODERATOR)
    await expectVideoAdvances(OBSERVER, PANELIST)
    await waitFor(async () => (await inboundAudio(person(OBSERVER).page)).streams === 2, {
      what: 'the observer receives two voices',
    })
  })

  test('shows the observer everything within a second', async () => {
    const { page } = person(OBSERVER)
    await waitFor(async () => (await frameAgeMs(page, MODERATOR)) < AT_ONCE_MS, {
      what: 'the connection has settled',
    })
    const medianAgeMs = await quickest(AT_ONCE_MS, async () => {
      const ages: number[] = []
      while (ages.length < 21) ages.push(await frameAgeMs(page, MODERATOR))
      return ages.toSorted((one, other) => one - other)[10] ?? Infinity
    })
    expect(medianAgeMs).toBeLessThan(AT_ONCE_MS)
  })

  test('sends no video to an observer who saves bandwidth, and resumes it on request', async () => {
    const { page } = person(OBSERVER)
    await toggleSaving(page)
    let before = -1
    await waitFor(
      async () => {
        const last = before
        before = await inboundVideoBytes(page)
        const { packets } = await inboundAudio(page)
        await waitFor(async () => (await inboundAudio(page)).packets > packets + 100, {
          what: 'two seconds of voices arrive',
        })
        return before === last
      },
      { what: 'no picture arrives any more' },
    )
    expect(await inboundVideoBytes(page)).toBe(before)
    await toggleSaving(page)
    await expectVideoAdvances(OBSERVER, PANELIST)
  })

  test('asks the observer for no device and publishes nothing from them', async () => {
    const sent = await person(OBSERVER).page.evaluate(async () => {
      const watched = globalThis as unknown as { peerConnections: RTCPeerConnection[] }
      const reports = await Promise.all(watched.peerConnections.map((pc) => pc.getStats()))
      return reports
        .flatMap((stats) => [...stats.values()])
        .filter((row) => row.type === 'outbound-rtp')
    })
    expect(sent).toEqual([])
    expect(await deviceRequests(person(OBSERVER).page)).toEqual([])
  })

  test('opens the devices of the panelist at the device check and in the room, and not after the consent', async () => {
    // Both devices together, and then each of them.
    expect(await deviceRequests(person(PANELIST).page)).toHaveLength(3)
  })

  test('reveals nothing about the observer to the panelist', async () => {
    const here = await env.tenant.participants(room.id)
    const observer = here.find((each) => each.role === 'observer')
    expect(observer).toBeDefined()
    const { page, traffic } = person(PANELIST)
    const received = [
      await page.content(),
      traffic.text(),
      await peerConnectionText(page),
      await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])),
    ].join('\n')

    expect(received).toContain(MODERATOR)
    for (const trace of [OBSERVER, observer?.id ?? '', 'observer']) {
      expect(received.includes(trace), `the panelist received "${trace}"`).toBe(false)
    }
    expect(await page.getByRole('article').count()).toBe(2)
  })

  test('lists the three entries with browser, platform and address', async () => {
    const entries = await waitFor(
      async () => {
        const all = await env.tenant.entries(room.id)
        return all.length === 3 ? all : undefined
      },
      { what: 'three entries are listed' },
    )
    expect(entries.map((entry) => entry.role).toSorted()).toEqual([
      'moderator',
      'observer',
      'panelist',
    ])
    for (const entry of entries) {
      expect(entry.browser_name).toMatch(/chrom/i)
      expect(entry.platform_name).toMatch(/linux|mac|windows/i)
      expect(entry.ip_address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
      expect(entry.left_at).toBeNull()
    }
  })

  test('delivers one verified participant.entered per entry', async () => {
    const { received } = env.receiver
    const enteredNow = () => received.filter(({ type }) => type === 'participant.entered')
    await waitFor(() => enteredNow().length >= 3, { what: 'three webhooks arrive' })
    const entered = enteredNow()
    const entries = await env.tenant.entries(room.id)
    expect(entered.every((webhook) => webhook.isVerified)).toBe(true)
    expect(entered).toHaveLength(3)
    expect(new Set(entered.map((webhook) => webhook.data['entry_history_id']))).toEqual(
      new Set(entries.map((entry) => entry.id)),
    )
  })

  test('shows the mute of one person in the tile that the other sees', async () => {
    await control(person(PANELIST).page, 'mute').click()
    await tile(person(MODERATOR).page, PANELIST, 'muted').waitFor()
    await control(person(PANELIST).page, 'unmute').click()
  })

  test('fills left_at and duration_sec when a person leaves', async () => {
    await control(person(OBSERVER).page, 'leave').click()
    await leftPage(person(OBSERVER).page).waitFor()
    const entry = await waitFor(
      async () => {
        const entries = await env.tenant.entries(room.id)
        return entries.find((each) => each.role === 'observer' && each.left_at)
      },
      { what: 'the observer is logged as left' },
    )
    expect(entry.duration_sec).toBeGreaterThanOrEqual(0)
  })

  test('removes everybody within a second of closing, and admits nobody again', async () => {
    const { tenant } = env
    const tookMs = await quickest(AT_ONCE_MS, async (attempt) => {
      const { id, pages } = attempt === 0 ? firstRoom() : await anotherRoom()
      const gone = pages.map(async (page) => firstTitled(page, refusalTitle('closed')))
      const closed = await tenant.close(id)
      const closedAt = Date.now()
      expect(closed.status).toBe('closed')
      return Math.max(...(await Promise.all(gone))) - closedAt
    })
    expect(tookMs).toBeLessThan(AT_ONCE_MS)
    const farewell = refusal(person(PANELIST).page, 'closed')
    await farewell.getByText(consentText((t) => t.farewell.thanks)).waitFor()
    await farewell.getByText(consentText((t) => t.farewell.data)).waitFor()
    const token = await tenant.signToken({ roomId: room.id, role: 'panelist', name: PANELIST })
    expect(await tenant.enter(room.id, token)).toEqual({ status: 409, code: 'SESSION_RELEASED' })
    await waitFor(
      async () => (await tenant.entries(room.id)).every((entry) => entry.left_at !== null),
      {
        what: 'all entries are closed',
      },
    )
  })
})
