import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { SCHEMES, showIn, violationsOf } from './harness/axe.ts'
import { join, type Person } from './harness/browser.ts'
import { injectFaults } from './harness/faults.ts'
import { useHouse } from './harness/house.ts'

const LONG = { timeout: 60_000 }
/** More than the page waits for a recording that should be there. */
const GRACE_MS = 65_000
const house = useHouse()
const inside: Person[] = []

// Whoever stays costs the machine what the next ones need.
afterEach(async () => {
  await Promise.all(inside.splice(0).map(({ context }) => context.close()))
})

type Mode = 'manual' | 'always'

async function enterAs(roomId: string, role: Role, name: string): Promise<Person> {
  const person = await house.open({ roomId, role, name })
  inside.push(person)
  await join(person)
  return person
}

interface Entered {
  roomId: string
  moderator: Person
  panelist: Person
}

/** A moderator and a panelist in a room; who is recorded by hand unless told. */
async function enterRoom(mode: Mode = 'manual'): Promise<Entered> {
  const { id: roomId } = await house.tenant.book({ room: { archive_mode: mode } })
  const panelist = await enterAs(roomId, 'panelist', 'Pana')
  return { roomId, panelist, moderator: await enterAs(roomId, 'moderator', 'Mori') }
}

/** Their pages. */
async function openRoom(): Promise<{ roomId: string; moderator: Page; panelist: Page }> {
  const { roomId, moderator, panelist } = await enterRoom()
  return { roomId, moderator: moderator.page, panelist: panelist.page }
}

const indicator = (page: Page) => page.getByTestId('recording-indicator')

async function shows(page: Page, status: string): Promise<void> {
  await page.locator(`[data-testid="recording-indicator"][data-status="${status}"]`).waitFor(LONG)
}

test('a moderator starts, pauses, resumes and ends a recording; everybody else sees each step and no controls', async () => {
  const { roomId, moderator, panelist } = await openRoom()
  const observer = (await enterAs(roomId, 'observer', 'Ono')).page
  const press = (id: string) => moderator.getByTestId(id).click(LONG)
  await press('recording-open')
  for (const [control, status] of [
    ['recording-start', 'started'],
    ['recording-pause', 'paused'],
    ['recording-resume', 'started'],
  ] as const) {
    await press(control)
    await shows(moderator, status)
    for (const page of [panelist, observer]) {
      await shows(page, status)
      expect(await page.getByTestId('recording-open').count()).toBe(0)
    }
  }
  await press('recording-stop')
  await press('recording-stop-confirm')
  for (const page of [panelist, observer]) {
    await indicator(page).waitFor({ state: 'detached', ...LONG })
    expect(await page.getByTestId('recording-open').count()).toBe(0)
    expect(await page.getByTestId('recording-alarm').count()).toBe(0)
  }
})

test('a recording that the provider never begins to write alarms the moderator alone', async () => {
  const { moderator, panelist } = await openRoom()
  await injectFaults(house.service, { egress: { next: 'stay_starting', count: 10 } })
  await moderator.getByTestId('recording-open').click(LONG)
  await moderator.getByTestId('recording-start').click(LONG)
  await moderator.getByTestId('recording-alarm').waitFor(LONG)
  expect(await indicator(moderator).textContent()).toBe('Recording is not running')
  expect(await indicator(panelist).textContent()).toBe('Recording starting')
  expect(await panelist.getByTestId('recording-alarm').count()).toBe(0)
})

test('a recording that the provider fails to begin alarms the moderator, also in the open panel', async () => {
  const { moderator, panelist } = await openRoom()
  await injectFaults(house.service, { egress: { next: 'fail_start', count: 10 } })
  await moderator.getByTestId('recording-open').click(LONG)
  await moderator.getByTestId('recording-start').click(LONG)
  for (const alarm of ['recording-alarm', 'recording-panel-alarm']) {
    await moderator.locator(`[data-testid="${alarm}"][data-kind="failed"]`).waitFor(LONG)
  }
  for (const scheme of SCHEMES) {
    await showIn(moderator, scheme)
    expect(await violationsOf(moderator, `the panel with an alarm, ${scheme}`)).toEqual([])
  }
  expect(await panelist.getByTestId('recording-alarm').count()).toBe(0)
})

test('a start that the provider refuses is told with what to do, and the key R tries again', async () => {
  const { moderator } = await openRoom()
  await injectFaults(house.service, { egress: { next: 'refuse_start', count: 100 } })
  await moderator.keyboard.press('r')
  const refused = moderator.getByTestId('recording-refused')
  await refused.filter({ hasText: 'try again' }).waitFor(LONG)
  for (const scheme of SCHEMES) {
    await showIn(moderator, scheme)
    expect(await violationsOf(moderator, `the panel after a refusal, ${scheme}`)).toEqual([])
  }
  await injectFaults(house.service, {})
  await moderator.keyboard.press('Escape')
  await refused.waitFor({ state: 'detached', ...LONG })
  await moderator.keyboard.press('r')
  await shows(moderator, 'started')
  await moderator.keyboard.press('r')
  await shows(moderator, 'paused')
})

test('the Escape key closes the panel while a word is on its way', async () => {
  const { moderator } = await openRoom()
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  await moderator.route('**/recording/start', async (route) => {
    await isAnswered
    await route.continue()
  })
  await moderator.getByTestId('recording-open').click(LONG)
  await moderator.getByTestId('recording-start').click(LONG)
  await moderator.locator('[data-testid="recording-start"][data-pending]').waitFor(LONG)
  await moderator.keyboard.press('Escape')
  await moderator.getByTestId('recording-panel').waitFor({ state: 'detached', ...LONG })
  answer()
  await shows(moderator, 'started')
  expect(await moderator.getByTestId('recording-panel').count()).toBe(0)
})

test('a room that is always recorded alarms when none begins, and not when a moderator has ended it', async () => {
  await injectFaults(house.service, { egress: { next: 'refuse_start', count: 100 } })
  const { moderator } = await enterRoom('always')
  const { page } = moderator
  await page.clock.install()
  await page.reload()
  await join(moderator)
  const missing = page.locator('[data-testid="recording-alarm"][data-kind="missing"]')
  await page.clock.fastForward(GRACE_MS)
  await missing.waitFor(LONG)
  await injectFaults(house.service, {})
  // It is tried again by itself.
  await page.locator('[data-testid="recording-indicator"]').waitFor({ timeout: 120_000 })
  await missing.waitFor({ state: 'detached', ...LONG })
  await page.getByTestId('recording-open').click(LONG)
  await page.getByTestId('recording-stop').click(LONG)
  await page.getByTestId('recording-stop-confirm').click(LONG)
  await indicator(page).waitFor({ state: 'detached', ...LONG })

  await page.reload()
  await join(moderator)
  await page.locator('[data-testid="tile"][data-name="Pana"] video').first().waitFor(LONG)
  await page.clock.fastForward(GRACE_MS)
  // The alarm's place is there, and empty once the page has drawn what the time has brought.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  expect(await page.getByTestId('recording-alarm').count()).toBe(0)
})
