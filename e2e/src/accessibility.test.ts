import { readFileSync } from 'node:fs'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { showIn, violationsOf } from './harness/axe.ts'
import { join, launchBrowser, openAs, type Person } from './harness/browser.ts'
import { removeDataDir, type Service, startService } from './harness/service.ts'
import { actAsTenant, type Room, type Tenant } from './harness/tenant.ts'

const MODERATOR = 'Mori Moderator'
const PICTURE = 'docs/pictures/room.png'
const LIVE = '[data-testid="room"][data-state="live"]'
const TABS_MAX = 80
const SOON = { timeout: 30_000 }

let service: Service
let tenant: Tenant
let browser: Browser
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  service = await startService()
  tenant = actAsTenant(service.local)
  browser = await launchBrowser()
  room = await tenant.book({ room: { archive_mode: 'always' } })
  await registerHandout()
  for (const role of ROLES) {
    people[role] = await open(role, role === 'moderator' ? MODERATOR : `One ${role}`)
    if (role !== 'moderator') await join(people[role])
  }
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  if (service !== undefined) removeDataDir(service.dataDir)
})

async function open(role: Role, name: string): Promise<Person> {
  return openAs(browser, await tenant.link({ roomId: room.id, role, name }))
}

async function registerHandout(): Promise<void> {
  const body = new FormData()
  body.set('content_type', 'image')
  body.set('file', new Blob([readFileSync(PICTURE)]), 'package.png')
  const url = `${service.local.base_url}/api/v1/sessions/${room.session.id}/handouts`
  const headers = { authorization: `ApiKey ${service.local.api_key}` }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201)
}

/** Goes on with Tab until the control has the focus, where it can be seen. */
async function tabTo(page: Page, testId: string): Promise<void> {
  const focused = page.locator(`[data-testid="${testId}"]:focus-visible`)
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) > 0) return
  }
  throw new Error(`Tab does not reach ${testId}`)
}

async function press(page: Page, testId: string, key: 'Enter' | 'Space'): Promise<void> {
  await tabTo(page, testId)
  await page.keyboard.press(key)
}

test('the interview is held by keyboard alone', async () => {
  const { page } = people.moderator
  const panelist = people.panelist.page
  const moderator = `[data-testid="tile"][data-name="${MODERATOR}"]`

  await page.getByTestId('join-button').waitFor(SOON)
  await press(page, 'join-button', 'Enter')
  await page.getByTestId('consent-give').waitFor(SOON)
  await press(page, 'consent-give', 'Space')
  await page.locator(LIVE).waitFor(SOON)
  await panelist.locator(`${moderator}[data-muted="false"]`).waitFor(SOON)

  await press(page, 'toggle-mic', 'Space')
  await panelist.locator(`${moderator}[data-muted="true"]`).waitFor(SOON)
  await page.keyboard.press('Enter')
  await panelist.locator(`${moderator}[data-muted="false"]`).waitFor(SOON)

  await press(page, 'open-roster', 'Enter')
  await page.getByTestId('panel-roster').waitFor(SOON)
  await press(page, 'open-public', 'Enter')
  await page.getByTestId('panel-public').waitFor(SOON)
  await tabTo(page, 'composer')
  await page.keyboard.type('Welcome, everybody')
  await press(page, 'send', 'Space')
  await panelist
    .getByTestId('message')
    .getByText('Welcome, everybody')
    .waitFor({ ...SOON, state: 'attached' })

  await press(page, 'open-private', 'Space')
  await page.getByTestId('panel-private').waitFor(SOON)
  await page.keyboard.press('2')
  const { page: observer } = people.observer
  await observer
    .getByTestId('panel-private')
    .locator('[data-testid="message"][data-type="stamp"]')
    .waitFor({ ...SOON, state: 'attached' })

  await press(page, 'open-handouts', 'Enter')
  await press(page, 'handout-show', 'Enter')
  await panelist.getByTestId('handout-stage').waitFor(SOON)
  await press(page, 'handout-hide', 'Space')
  await panelist.getByTestId('handout-stage').waitFor({ ...SOON, state: 'detached' })

  await press(page, 'leave-button', 'Enter')
  await page.getByTestId('left').waitFor(SOON)
  await panelist.locator(moderator).waitFor({ ...SOON, state: 'detached' })

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator(LIVE).waitFor(SOON)
})

test.each(ROLES)(
  'the room of a %s fits into 320 pixels, each panel, and axe finds nothing',
  async (role) => {
    const { page } = people[role]
    await page.setViewportSize({ width: 320, height: 640 })
    await showIn(page, 'light')
    const shut = page.getByTestId('close-panel')
    if (await shut.isVisible()) await shut.click()
    const found = await violationsOf(page, 'no panel')
    for (const button of await page.locator('[data-testid^="open-"]').all()) {
      const id = await button.getAttribute('data-panel')
      await button.click()
      await page.getByTestId(`panel-${id}`).waitFor(SOON)
      found.push(...(await violationsOf(page, String(id))))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await shut.click()
    }
    expect(found).toEqual([])
  },
)
