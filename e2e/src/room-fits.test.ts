import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from './harness/browser.ts'
import { misfitsOf, resizeTo, type Size } from './harness/misfits.ts'
import { closePanel, openPanel } from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { peopleText } from './harness/words.ts'

/** Every 20 pixels in the long run, every 200 in the everyday one. */
const STEP_PX = process.env['TEST_SCOPE'] === 'whole' ? 20 : 200
const SIZES: Size[] = Array.from(
  { length: 1600 / STEP_PX + 1 },
  (_, index) => 320 + STEP_PX * index,
)
  .concat([320, 660, 700, 740, 780, 840])
  .flatMap((width) => [360, 640, 900].map((height) => ({ width, height })))
/** WCAG 2.2, 2.5.8; guests meet the page with a finger. */
const TARGET_MIN_PX = { moderator: 24, panelist: 44 }

const env = useTestEnvironment()
const people = {} as Record<'moderator' | 'panelist', Record<'en' | 'ja', Person>>

beforeAll(async () => {
  const room = await env.tenant.book()
  const enter = async (role: 'moderator' | 'panelist', locale: 'en' | 'ja') =>
    env.enter(
      { roomId: room.id, role, name: `${role} ${locale}` },
      { locale: locale === 'en' ? 'en-US' : 'ja-JP', isQuiet: true },
    )
  for (const role of ['moderator', 'panelist'] as const) {
    people[role] = { en: await enter(role, 'en'), ja: await enter(role, 'ja') }
  }
  await letPanelistsShare(room.id)
})

/** The button for it is one more that has to fit. */
async function letPanelistsShare(roomId: string): Promise<void> {
  const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'by API' })
  for (const { id, role } of await env.tenant.participants(roomId)) {
    if (role === 'panelist') await moderator.post(`/participants/${id}/screen/allow`)
  }
  const label = peopleText((t) => t.shareScreen)
  for (const { page } of Object.values(people.panelist)) {
    await page.getByRole('button', { name: label }).waitFor({ timeout: 30_000 })
  }
}

/** What does not fit, with the first size at which it does not. */
async function sweep(page: Page, targetMinPx: number): Promise<Record<string, string>> {
  const found = new Map<string, string>()
  for (const size of SIZES) {
    await resizeTo(page, size)
    if (
      ['320x360', '740x360', '700x640', '320x640', '1020x640'].includes(
        `${size.width}x${size.height}`,
      )
    )
      await page.screenshot({})
    for (const misfit of await misfitsOf(page, targetMinPx)) {
      if (!found.has(misfit)) found.set(misfit, `${size.width} × ${size.height}`)
    }
  }
  return Object.fromEntries(found)
}

describe.each(['moderator', 'panelist'] as const)('the room of a %s', (role) => {
  describe.each(['en', 'ja'] as const)('in %s', (locale) => {
    test('fits at every size without a panel', async () => {
      const { page } = people[role][locale]
      await closePanel(page)
      expect(await sweep(page, TARGET_MIN_PX[role])).toEqual({})
    })

    test('fits at every size with an open chat', async () => {
      const { page } = people[role][locale]
      await openPanel(page, 'public')
      expect(await sweep(page, TARGET_MIN_PX[role])).toEqual({})
      await closePanel(page)
    })
  })
})
