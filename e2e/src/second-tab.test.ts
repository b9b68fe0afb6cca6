import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { join, streamedText } from './harness/browser.ts'
import { useHouse } from './harness/house.ts'
import { waitFor } from './harness/wait.ts'

const SOON_MS = 20_000

const house = useHouse()

async function newLink(role = 'panelist'): Promise<string> {
  const room = await house.tenant.book()
  return house.tenant.link({ roomId: room.id, role, name: 'Twice' })
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
    const first = await house.openLink(link)
    await join(first)
    const second = await house.openLink(link)
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
    const first = await house.openLink(link)
    await first.page.addInitScript(blockMedia)
    await first.page.reload()
    await first.page.getByTestId('join-button').click({ timeout: SOON_MS })
    await waitFor(async () => (await streamedText(first.page)).includes('snapshot'), {
      what: 'the first tab follows the room',
    })
    const second = await house.openLink(link)
    await join(second)
    await elsewhere(first.page).waitFor({ timeout: SOON_MS })
    await first.context.close()
    await second.context.close()
  })

  test('is told to a first tab that slept through it, as soon as it wakes', async () => {
    const link = await newLink('observer')
    const first = await house.openLink(link)
    await join(first)
    await first.context.setOffline(true)
    const second = await house.openLink(link)
    await join(second)
    await first.context.setOffline(false)
    await elsewhere(first.page).waitFor({ timeout: 60_000 })
    expect(await live(second.page).count()).toBe(1)
    await first.context.close()
    await second.context.close()
  })
})
