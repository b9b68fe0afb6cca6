import { readFileSync } from 'node:fs'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scheme, violationsOf } from './harness/axe.ts'
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

async function open(role: Role, name: string, roomId = room.id): Promise<Person> {
  return openAs(browser, await tenant.link({ roomId, role, name }))
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
})

describe('axe finds nothing', () => {
  test('before the room and after it', async () => {
    const found = await violationsOf(people.moderator.page, 'left')
    await people.moderator.page.getByTestId('left').getByRole('button').click()
    await people.moderator.page.locator(LIVE).waitFor(SOON)
    for (const role of ['moderator', 'observer'] as const) {
      const { page, context } = await open(role, `Second ${role}`)
      await page.getByTestId('join-button').waitFor(SOON)
      found.push(...(await violationsOf(page, `device check of ${role}`)))
      if (role === 'moderator') {
        await page.getByTestId('join-button').click()
        await page.getByTestId('consent').waitFor(SOON)
        found.push(...(await violationsOf(page, 'consent')))
      }
      await context.close()
    }
    expect(found).toEqual([])
  })

  test.each(ROLES)('in the room of a %s, with each panel open', async (role) => {
    const { page } = people[role]
    const found = await withEachPanel(page, role, ['light', 'dark'])
    const wide = page.viewportSize() ?? { width: 1280, height: 800 }
    await page.setViewportSize({ width: 320, height: 640 })
    found.push(...(await withEachPanel(page, `${role} on 320 px`, ['light'])))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.setViewportSize(wide)
    expect(found).toEqual([])
  })

  test('in the menus and dialogs of the room', async () => {
    const { page } = people.moderator
    const found = await behind(page, 'device-menu', 'device-menu-panel')
    found.push(...(await behind(page, 'marker-button', 'marker-panel')))
    found.push(...(await behind(page, 'more-menu', 'more-help')))
    for (const each of ['help', 'shortcuts', 'close']) {
      await page.getByTestId('more-menu').click()
      found.push(...(await behind(page, `more-${each}`, `${each}-dialog`)))
    }
    await page.getByTestId('open-roster').click()
    found.push(...(await behind(page, 'person-actions', 'person-mute')))
    await page.getByTestId('person-actions').first().click()
    found.push(...(await behind(page, 'person-ban', 'ban-dialog')))
    expect(found).toEqual([])
  })

  test('where somebody is refused, and on the playground', async () => {
    const early = await tenant.book({ startsInMin: 120 })
    const closed = await tenant.book()
    await tenant.close(closed.id)
    const found = [
      ...(await refused(early.id, 'OUTSIDE_TIME_WINDOW')),
      ...(await refused(closed.id, 'SESSION_RELEASED')),
    ]
    const here = await tenant.participants(room.id)
    const id = here.find(({ role }) => role === 'panelist')?.id
    await tenant.call('POST', `/rooms/${room.id}/participants/${id}/ban`, { reason: 'test' })
    await people.panelist.page.locator('[data-code="PARTICIPANT_BANNED"]').waitFor(SOON)
    found.push(...(await violationsOf(people.panelist.page, 'banned')))
    const { page } = await openAs(browser, `${service.local.base_url}/r/${room.id}`)
    await page.getByTestId('refusal').waitFor(SOON)
    found.push(...(await violationsOf(page, 'bad link')))
    await page.goto(service.local.base_url)
    await page.getByTestId('book-button').click(SOON)
    await page.getByTestId('link-observer').waitFor(SOON)
    await page.getByTestId('webhook-row').first().waitFor(SOON)
    found.push(...(await violationsOf(page, 'playground')))
    expect(found).toEqual([])
  })
})

async function withEachPanel(page: Page, state: string, schemes: Scheme[]): Promise<string[]> {
  const shut = page.getByTestId('close-panel')
  if (await shut.isVisible()) await shut.click()
  const found = await violationsOf(page, state, schemes)
  for (const button of await page.locator('[data-testid^="open-"]').all()) {
    const id = await button.getAttribute('data-panel')
    await button.click()
    await page.getByTestId(`panel-${id}`).waitFor(SOON)
    found.push(...(await violationsOf(page, `${state}, ${id}`, schemes)))
    await shut.click()
  }
  return found
}

/** Presses the one, looks at the other, and leaves it by Escape. */
async function behind(page: Page, opener: string, shown: string): Promise<string[]> {
  await page.getByTestId(opener).first().click()
  const overlay = page.getByTestId(shown)
  await overlay.waitFor(SOON)
  const found = await violationsOf(page, shown)
  await page.keyboard.press('Escape')
  await overlay.waitFor({ ...SOON, state: 'detached' })
  return found
}

async function refused(roomId: string, code: string): Promise<string[]> {
  const { page, context } = await open('panelist', 'Refused', roomId)
  await page.getByTestId('join-button').click(SOON)
  await page.locator(`[data-testid="refusal"][data-code="${code}"]`).waitFor(SOON)
  const found = await violationsOf(page, code)
  await context.close()
  return found
}
