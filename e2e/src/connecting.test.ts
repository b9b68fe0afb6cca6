import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import {
  connectingPage,
  joinButton,
  liveRoom,
  refusal,
  stopJoiningButton,
  trouble,
} from './harness/room-page.ts'
import { blockedMedia, blockedSockets, type Surrounding } from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { roomText } from './harness/words.ts'

/** From the press on Join to the first words of a diagnosis. */
const DIAGNOSIS_WITHIN = { timeout: 20_000 } as const
const CONTACT = '0120-000-000'
const NARROWEST = { width: 360, height: 640 }

const env = useTestEnvironment()

beforeAll(async () => {
  const { tenant_id: id } = env.service.local
  await env.service.admin('tenants', 'branding', '--tenant', id, '--help-contact', CONTACT)
})

async function pressJoin({ arrange, strike }: Surrounding, locale: string): Promise<Stuck> {
  const { id: roomId } = await env.tenant.book()
  const person = await env.open(
    { roomId, role: 'observer', name: 'Ono' },
    { isPhone: true, locale, prepare: async (context) => arrange(context, env) },
  )
  await person.page.setViewportSize(NARROWEST)
  const allow = await strike?.(person)
  await joinButton(person.page).click(SOON)
  return { ...person, allow: async () => allow?.() }
}

interface Stuck extends Person {
  /** Ends the blocking, as another network does. */
  allow: () => Promise<unknown>
}

async function expectReadable(page: Page, state: string): Promise<void> {
  await expectAccessible(page, state)
  const overflowPx = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflowPx).toBe(0)
  await page.getByText(CONTACT).waitFor(SOON)
}

describe.each([
  [blockedMedia, 'media', 'media', 'ja-JP'],
  [blockedSockets, 'sockets', 'signalling', 'en-US'],
] as const)('$name', (surrounding, why, stage, locale) => {
  test('the page says why within 20 s, and the person may stop, try again and come in', async () => {
    const { page, allow } = await pressJoin(surrounding, locale)
    await connectingPage(page).waitFor(SOON)
    await trouble(page, why).waitFor(DIAGNOSIS_WITHIN)
    const current = page.locator('[aria-current="step"]')
    await current.getByText(roomText((t) => t.connecting.stages[stage])).waitFor(SOON)
    await expectReadable(page, `${why} in ${locale}`)
    const other = locale === 'ja-JP' ? 'English' : '日本語'
    await page.getByRole('button', { name: other }).click(SOON)
    await expectReadable(page, `${why} in the other language`)

    await stopJoiningButton(page).click(SOON)
    await refusal(page, 'unavailable').waitFor(SOON)
    await trouble(page, why).waitFor(SOON)
    await expectReadable(page, `stopped: ${why}`)
    await page.getByRole('button', { name: roomText((t) => t.refusal.retry) }).click(SOON)
    await connectingPage(page).waitFor(SOON)
    await allow()
    await liveRoom(page).waitFor(SOON)
  })
})
