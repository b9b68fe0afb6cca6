import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { join, launchBrowser, openAs, streamedText } from './harness/browser.ts'
import { removeDataDir, type Service, startService } from './harness/service.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { waitFor } from './harness/wait.ts'

const SOON_MS = 20_000

let service: Service
let tenant: Tenant
let browser: Browser

beforeAll(async () => {
  service = await startService()
  tenant = actAsTenant(service.local)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  if (service !== undefined) removeDataDir(service.dataDir)
})

async function newLink(role = 'panelist'): Promise<string> {
  const room = await tenant.book()
  return tenant.link({ roomId: room.id, role, name: 'Twice' })
}

const elsewhere = (page: Page) =>
  page.locator('[data-testid="refusal"][data-code="DUPLICATE_IDENTITY"]')
const live = (page: Page) => page.locator('[data-testid="room"][data-state="live"]')

/** Runs in the page before its own scripts: its media can never come up. */
function blockMedia(): void {
  const Original = globalThis.WebSocket
  globalThis.WebSocket = class extends Original {
    constructor() {
      super('ws://127.0.0.1:9')
    }
  }
}

describe('the same link in a second tab', () => {
  test('takes over, and the first one says so and can take it back', async () => {
    const link = await newLink()
    const first = await openAs(browser, link)
    await join(first)
    const second = await openAs(browser, link)
    await join(second)
    await elsewhere(first.page).waitFor({ timeout: SOON_MS })
    expect(await first.page.locator('body').innerText()).not.toContain('DUPLICATE')

    await first.page.getByRole('button').last().click()
    await live(first.page).waitFor({ timeout: SOON_MS })
    await elsewhere(second.page).waitFor({ timeout: SOON_MS })
    expect(await live(first.page).count()).toBe(1)
    await first.context.close()
    await second.context.close()
  })

  test('is told to a first tab whose media never came up', async () => {
    const link = await newLink('observer')
    const first = await openAs(browser, link)
    await first.page.addInitScript(blockMedia)
    await first.page.reload()
    await first.page.getByTestId('join-button').click({ timeout: SOON_MS })
    await waitFor(async () => (await streamedText(first.page)).includes('snapshot'), {
      what: 'the first tab follows the room',
    })
    const second = await openAs(browser, link)
    await join(second)
    await elsewhere(first.page).waitFor({ timeout: SOON_MS })
    await first.context.close()
    await second.context.close()
  })

  test('is told to a first tab that slept through it, as soon as it wakes', async () => {
    const link = await newLink('observer')
    const first = await openAs(browser, link)
    await join(first)
    await first.context.setOffline(true)
    const second = await openAs(browser, link)
    await join(second)
    await first.context.setOffline(false)
    await elsewhere(first.page).waitFor({ timeout: 60_000 })
    expect(await live(second.page).count()).toBe(1)
    await first.context.close()
    await second.context.close()
  })
})
