import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from './harness/browser.ts'
import { removeDataDir, type Service, startService } from './harness/service.ts'
import { begin, bookTest, measureLine, openTest, untilOver } from './harness/subject.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'

const URL = process.env['LIVEKIT_ACCEPTANCE_URL'] ?? ''
const KEY = process.env['LIVEKIT_ACCEPTANCE_API_KEY'] ?? ''
const SECRET = process.env['LIVEKIT_ACCEPTANCE_API_SECRET'] ?? ''

/** The embedded media server offers UDP alone: this wants a LiveKit server that has `rtc.tcp_port`. */
describe.skipIf(URL === '')('a test by a media server that offers UDP and TCP', () => {
  let service: Service
  let tenant: Tenant
  let browser: Browser

  beforeAll(async () => {
    const env = { LIVEKIT_URL: URL, LIVEKIT_API_KEY: KEY, LIVEKIT_API_SECRET: SECRET }
    service = await startService({ env })
    tenant = actAsTenant(service.local)
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    if (service !== undefined) removeDataDir(service.dataDir)
  })

  test('measures the way down over both', async () => {
    const booked = await bookTest(tenant)
    const { page, context } = await openTest(browser, booked)
    await begin(page)
    await measureLine(page)
    const over = await untilOver(tenant, booked.id)
    await context.close()
    expect(over).toMatchObject({ status: 'completed', baseline: { media: { protocol: 'udp' } } })
    expect(over.measured_sec).toBeGreaterThanOrEqual(15)
    const tcp = over.load?.downlink_tcp
    expect(tcp).toMatchObject({ connected: true })
    expect(tcp?.connect_ms).toBeLessThan(8_000)
    expect(tcp?.audio?.bitrate_kbps).toBeGreaterThan(10)
    expect(tcp?.video?.frame_rate).toBeGreaterThan(5)
  })
})
