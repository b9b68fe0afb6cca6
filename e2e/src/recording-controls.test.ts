import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join, launchBrowser, openAs } from './harness/browser.ts'
import { injectFaults } from './harness/faults.ts'
import { freePort, removeDataDir, type Service, startService } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'

const LONG = { timeout: 60_000 }
let mediaPort: string
let service: Service
let tenant: Tenant
let browser: Browser

beforeAll(async () => {
  mediaPort = String(await freePort())
  service = await startService({ env: { MEDIA_FAULTS: 'true', MEDIA_PORT: mediaPort } })
  tenant = actAsTenant(service.local)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  if (service !== undefined) removeDataDir(service.dataDir)
})

/** A moderator's and a panelist's page in a room that is recorded by hand. */
async function openRoom(): Promise<{ moderator: Page; panelist: Page }> {
  const { id: roomId } = await tenant.book({ room: { archive_mode: 'manual' } })
  const pages: Page[] = []
  for (const [role, name] of [
    ['panelist', 'Pana'],
    ['moderator', 'Mori'],
  ] as const) {
    const person = await openAs(browser, await tenant.link({ roomId, role, name }))
    await join(person)
    pages.push(person.page)
  }
  const [panelist, moderator] = pages as [Page, Page]
  return { moderator, panelist }
}

async function shows(page: Page, status: string): Promise<void> {
  await page.locator(`[data-testid="recording-indicator"][data-status="${status}"]`).waitFor(LONG)
}

test('a moderator starts, pauses, resumes and ends a recording; a panelist sees each step and no controls', async () => {
  const { moderator, panelist } = await openRoom()
  const press = (id: string) => moderator.getByTestId(id).click(LONG)
  await press('recording-open')
  for (const [control, status] of [
    ['recording-start', 'started'],
    ['recording-pause', 'paused'],
    ['recording-resume', 'started'],
  ] as const) {
    await press(control)
    await shows(moderator, status)
    await shows(panelist, status)
    expect(await panelist.getByTestId('recording-open').count()).toBe(0)
  }
  await press('recording-stop')
  await press('recording-stop-confirm')
  await panelist.getByTestId('recording-indicator').waitFor({ state: 'detached', ...LONG })
  expect(await panelist.getByTestId('recording-open').count()).toBe(0)
  expect(await panelist.getByTestId('recording-alarm').count()).toBe(0)
})

test('a recording that the provider never begins to write alarms the moderator alone', async () => {
  const { moderator, panelist } = await openRoom()
  await injectFaults(service, mediaPort, { egress: { next: 'stay_starting', count: 10 } })
  await moderator.getByTestId('recording-open').click(LONG)
  await moderator.getByTestId('recording-start').click(LONG)
  await moderator.getByTestId('recording-alarm').waitFor(LONG)
  expect(await panelist.getByTestId('recording-alarm').count()).toBe(0)
})
