import { parseArgs } from 'node:util'
import { join, launchBrowser, openAs } from '@interview-room/e2e/src/harness/browser.ts'
import { removeDataDir, startService } from '@interview-room/e2e/src/harness/service.ts'
import {
  AS_BY_DEFAULT,
  actAsTenant,
  type Room,
  type Tenant,
} from '@interview-room/e2e/src/harness/tenant.ts'
import type { Browser } from 'playwright-core'
import { type BarePage, serveBarePage } from '../bare-page.ts'
import { type Round, reportPageLoad } from './report.ts'
import { CONDITIONS, type Conditions, openSlowly, paintsOf, visitRoom } from './visit.ts'

/** An answer of the same server. A page with nothing to load cannot be shown faster. */
const EMPTY_PAGE = '/health/live'
const SIZE = { width: 640, height: 480 }
const GUEST = { role: 'panelist', name: 'Guest' }
const SOON = { timeout: 120_000 }

interface Place {
  baseUrl: string
  tenant: Tenant
  room: Room
  bare: BarePage
}

/**
 * Measures the time from the link to the picture of another person, compared with an empty page and a bare client.
 */
export async function measurePageLoad(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '7' } } })
  const service = await startService()
  const bare = await serveBarePage()
  const [others, browser] = [await launchBrowser(), await launchBrowser()]
  try {
    const tenant = actAsTenant(service.local)
    const room = await tenant.book({ room: AS_BY_DEFAULT })
    const place = { baseUrl: service.local.base_url, tenant, room, bare }
    const host = await tenant.link({ roomId: room.id, role: 'moderator', name: 'Host' })
    await join(await openAs(others, host))
    // Consent is asked for only once per person. The time that a person takes to answer is not measured.
    const first = await openAs(browser, await tenant.link({ roomId: room.id, ...GUEST }))
    await join(first)
    await first.context.close()
    // The first visit warms up the machine.
    await measureRound(browser, place)
    const rounds: Round[] = []
    for (let n = 0; n < Number(values.rounds); n += 1) {
      rounds.push(...(await measureRound(browser, place)))
    }
    reportPageLoad(rounds)
  } finally {
    await Promise.all([others.close(), browser.close()])
    bare.close()
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

async function measureRound(browser: Browser, place: Place): Promise<Round[]> {
  const { tenant, room } = place
  const round: Round[] = []
  for (const conditions of CONDITIONS) {
    const empty = await visitEmpty(browser, place, conditions)
    const bare = await visitBare(browser, place, conditions)
    const page = await visitRoom(
      browser,
      await tenant.link({ roomId: room.id, ...GUEST }),
      conditions,
    )
    round.push({ conditions: conditions.name, page, empty, bare })
  }
  return round
}

async function visitEmpty(browser: Browser, { baseUrl }: Place, conditions: Conditions) {
  const { page, context } = await openSlowly(browser, conditions)
  await page.goto(baseUrl + EMPTY_PAGE, SOON)
  const paints = await paintsOf(page)
  await context.close()
  return paints
}

/** Visits the same room with only the provider's client: no admission, no page, no live stream. */
async function visitBare(
  browser: Browser,
  { tenant, room, bare }: Place,
  conditions: Conditions,
): Promise<{ connectedMs: number; firstFrameMs: number }> {
  // The person who has agreed to be recorded: nobody else may send.
  const token = await tenant.signToken({ roomId: room.id, ...GUEST })
  const { media } = await tenant.admit(room.id, token)
  const { page, context } = await openSlowly(browser, conditions)
  await page.goto(bare.url, SOON)
  const entry = JSON.stringify({ ...media, ...SIZE })
  const times = await page.evaluate<{ connectedMs: number; firstFrameMs: number }>(
    `joinUntilFrame(${entry})`,
  )
  await context.close()
  return times
}
