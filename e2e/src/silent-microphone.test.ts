import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join } from './harness/browser.ts'
import { SPEAKING, SWITCHED_OFF } from './harness/limited-browsers.ts'
import { control, joinButton, tile } from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { roomText } from './harness/words.ts'

const env = useTestEnvironment()

const warning = (page: Page) => page.getByText(roomText((t) => t.call.microphoneSilent))
const sign = (page: Page) => tile(page, 'Pana').getByText(roomText((t) => t.call.noSound))

const switchOn = async (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { switchOn: () => void }).switchOn())

test('a microphone that sends only zeros is named in the lobby, in the room, and at the tile for the moderator', async () => {
  const { id: roomId } = await env.tenant.book()
  const moderator = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
  const who = { roomId, role: 'panelist', name: 'Pana' } as const
  const panelist = await env.open(who, { hasCamera: false, before: SWITCHED_OFF })
  const { page } = panelist
  await joinButton(page).waitFor(SOON)
  await warning(page).waitFor(SOON)
  await expectAccessible(page, 'silent microphone in the lobby')
  await switchOn(page)
  await warning(page).waitFor({ state: 'detached', ...SOON })

  await page.reload()
  await join(panelist)
  await warning(page).waitFor(SOON)
  await sign(moderator.page).waitFor(SOON)
  await expectAccessible(page, 'silent microphone in the room')
  await expectAccessible(moderator.page, 'silent microphone of a panelist')

  await control(page, 'microphone').click()
  await warning(page).waitFor({ state: 'detached', ...SOON })
  await sign(moderator.page).waitFor({ state: 'detached', ...SOON })
  await control(page, 'microphone').click()
  await sign(moderator.page).waitFor(SOON)
  await switchOn(page)
  await warning(page).waitFor({ state: 'detached', ...SOON })
  await sign(moderator.page).waitFor({ state: 'detached', ...SOON })
})

test('a microphone that hears something is not named', async () => {
  const { id: roomId } = await env.tenant.book()
  const who = { roomId, role: 'panelist', name: 'Pana' } as const
  const { page } = await env.open(who, { hasCamera: false, before: SPEAKING })
  // The level moves, so the page has listened.
  const heard = page.locator('[data-lit="true"]').first()
  await heard.waitFor(SOON)
  expect(await warning(page).count()).toBe(0)
})
