import type { ConnectionTestBody } from '@interview-room/contract/connection-tests.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { FULL_CAMERA } from './harness/browser.ts'
import {
  begin,
  bookTest,
  measureConnection,
  openTest,
  deliveredEnds,
  untilOver,
} from './harness/subject.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { againButton, heardButton, introPage, testPage } from './harness/test-page.ts'
import { SOON, waitFor } from './harness/wait.ts'

const COMPLETED_WITHIN_MS = 60_000
const ASKED_FRAME_RATE = 15

const env = useTestEnvironment({ browserFlags: [FULL_CAMERA], hasReceiver: true })

/** The paths of members that are null. */
function emptyMembers(value: unknown, path = ''): string[] {
  if (value === null) return [path]
  if (typeof value !== 'object') return []
  return Object.entries(value ?? {}).flatMap(([name, member]) =>
    emptyMembers(member, path === '' ? name : `${path}.${name}`),
  )
}

/** The version of the system as this browser reports it. Linux reports none. */
async function reportedPlatform(page: Page): Promise<{ version: string | null; empty: string[] }> {
  const version = await page.evaluate(async () => {
    const { userAgentData } = navigator as unknown as {
      userAgentData: { getHighEntropyValues(names: string[]): Promise<{ platformVersion: string }> }
    }
    const { platformVersion } = await userAgentData.getHighEntropyValues(['platformVersion'])
    return platformVersion === '' ? null : platformVersion
  })
  return { version, empty: version === null ? ['client.platform_version'] : [] }
}

/** Fields without a meaning for a direction or a medium. */
const MEANINGLESS = [
  'summary.video.limitation',
  ...['uplink', 'downlink'].map((direction) => `load.${direction}.audio.frame_rate`),
  ...['uplink', 'downlink'].map((direction) => `load.${direction}.audio.width`),
  ...['uplink', 'downlink'].map((direction) => `load.${direction}.audio.height`),
  ...['uplink', 'downlink'].map((direction) => `load.${direction}.audio.freeze_count`),
  ...['uplink', 'downlink'].map((direction) => `load.${direction}.audio.limited_by_cpu_sec`),
  ...['uplink', 'downlink'].map((direction) => `load.${direction}.audio.limited_by_bandwidth_sec`),
  'load.uplink.video.freeze_count',
  'load.downlink.video.limited_by_cpu_sec',
  'load.downlink.video.limited_by_bandwidth_sec',
  // The embedded media server offers only UDP.
  'load.downlink_tcp',
]

function factsOf(test: ConnectionTestBody) {
  const { client, devices, baseline, load, summary, measured_sec } = test
  return { client, devices, baseline, load, summary, measured_sec }
}

describe('a test taken by clicks', () => {
  test('is completed within a minute, with every field filled, and reported once', async () => {
    const booked = await bookTest(env.tenant, {
      external_type: 'User',
      external_id: 'subject-1',
      stream_resolution: '640x480',
      stream_frame_rate: ASKED_FRAME_RATE,
    })
    const { page, context } = await openTest(env.browser, booked)
    expect(page.url()).not.toContain('ticket')
    const beganMs = performance.now()
    await begin(page)
    await page.getByRole('button', { name: 'Test speaker' }).click()
    await heardButton(page).click(SOON)
    await measureConnection(page)
    await page.getByRole('progressbar').waitFor(SOON)
    const over = await untilOver(env.tenant, booked.id)
    await testPage(page, 'done').waitFor(SOON)

    expect(performance.now() - beganMs).toBeLessThan(COMPLETED_WITHIN_MS)
    expect(over).toMatchObject({
      status: 'completed',
      failure_reason: null,
      devices: { camera: 'ok', microphone: 'ok', speaker: 'ok' },
      client: { browser_name: expect.stringContaining('Chrom'), is_mobile: false },
      baseline: { signaling: { connected: true }, media: { connected: true, protocol: 'udp' } },
      recordings: [],
    })
    expect(over.measured_sec).toBeGreaterThanOrEqual(15)
    const { version, empty } = await reportedPlatform(page)
    expect(over.client?.platform_version).toBe(version)
    const isMeant = (path: string) => ![...MEANINGLESS, ...empty].includes(path)
    expect(emptyMembers(factsOf(over)).filter(isMeant)).toEqual([])
    expect(over.load?.uplink.video).toMatchObject({ width: 640, height: 480 })
    expect(over.load?.uplink.video?.frame_rate).toBeGreaterThan(ASKED_FRAME_RATE * 0.8)
    expect(over.load?.uplink.video?.frame_rate).toBeLessThan(ASKED_FRAME_RATE * 1.2)
    expect(over.load?.downlink.video?.bitrate_kbps).toBeGreaterThan(100)
    expect(over.load?.available_outgoing_kbps).toBeGreaterThan(300)
    expect(over.summary?.packet_loss_ratio).toBeLessThan(0.05)
    expect(over.summary?.audio.mos).toBeGreaterThan(3.5)

    const words = await testPage(page, 'done').innerText()
    expect(words).toMatch(/Upload speed\s+about \d+\.\d Mbit\/s/)
    expect(words).toMatch(/Camera\s+Works/)
    expect(words).not.toMatch(/passed|good enough|undefined|null|NaN/)
    await expectAccessible(page, 'result')

    await waitFor(() => deliveredEnds(env, booked.id).length > 0, { what: 'W5 arrives' })
    await page.reload()
    await testPage(page, 'done').waitFor(SOON)
    expect(deliveredEnds(env, booked.id)).toHaveLength(1)

    await againButton(page).click()
    await introPage(page).waitFor(SOON)
    expect(page.url()).not.toContain(booked.id)
    await context.close()
  })
})
