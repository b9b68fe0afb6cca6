import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { describePage, join, type Person } from './harness/browser.ts'
import { injectFaults } from './harness/faults.ts'
import {
  consentButton,
  control,
  endRecording,
  joinButton,
  liveRoom,
  notRecording,
  ownConsentButton,
  pageHead,
  recordingAlarm,
  recordingButton,
  recordingIndicator,
  recordingPanel,
  tile,
} from './harness/room-page.ts'
import { useTestEnvironment, type Visit } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { consentText, recordingText } from './harness/words.ts'

/** More than the page waits for a recording that should be there. */
const GRACE_MS = 65_000
const env = useTestEnvironment()
const inside: Person[] = []

// A room that stays open may take the faults of the next tests.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    for (const { page } of inside)
      process.stderr.write(`${await describePage(page).catch(String)}\n`)
  }
  await injectFaults(env.service, {})
  await env.tenant.closeAll()
  inside.splice(0)
})

type Mode = 'manual' | 'always'

async function enterAs(
  who: { roomId: string; role: Role; name: string },
  visit: Visit = {},
): Promise<Person> {
  const person = await env.open(who, { hasDevices: false, ...visit })
  inside.push(person)
  await join(person)
  return person
}

interface Entrants {
  roomId: string
  moderator: Person
  panelist: Person
}

/** A moderator, who only watches, and a panelist in a room; recorded manually by default. */
async function enterRoom(mode: Mode = 'manual', visit: Visit = {}): Promise<Entrants> {
  const { id: roomId } = await env.tenant.book({ room: { archive_mode: mode } })
  const panelist = await enterAs({ roomId, role: 'panelist', name: 'Pana' }, visit)
  const who = { roomId, role: 'moderator', name: 'Mori' } as const
  return { roomId, panelist, moderator: await enterAs(who) }
}

/** Their pages. */
async function openRoom(visit: Visit = {}) {
  const { roomId, moderator, panelist } = await enterRoom('manual', visit)
  return { roomId, moderator: moderator.page, panelist: panelist.page }
}

/** The page of a moderator without other people in a room that is recorded manually. */
async function openRoomAlone(): Promise<Page> {
  const { id: roomId } = await env.tenant.book()
  return (await enterAs({ roomId, role: 'moderator', name: 'Mori' })).page
}

async function shows(page: Page, says: 'started' | 'written' | 'paused'): Promise<void> {
  await recordingIndicator(page, says).waitFor(SOON)
}

/** Opens the panel of the recording, and presses its button. */
async function startByHand(page: Page): Promise<void> {
  await control(page, 'recording').click(SOON)
  await recordingButton(page, 'start').click(SOON)
}

test('a moderator starts, pauses, resumes and ends a recording; everybody else sees each step and no controls', async () => {
  const { roomId, moderator, panelist } = await openRoom({ hasDevices: true })
  const observer = (await enterAs({ roomId, role: 'observer', name: 'Ono' })).page
  await control(moderator, 'recording').click(SOON)
  // A recording that is ended before any of its segments has begun has nothing, and fails.
  for (const [button, says] of [
    ['start', 'written'],
    ['pause', 'paused'],
    ['resume', 'written'],
  ] as const) {
    await recordingButton(moderator, button).click(SOON)
    await shows(moderator, says)
    for (const page of [panelist, observer]) {
      await shows(page, says)
      expect(await control(page, 'recording').count()).toBe(0)
    }
  }
  await endRecording(moderator)
  for (const page of [panelist, observer]) {
    await recordingIndicator(page).waitFor({ state: 'detached', ...SOON })
    expect(await control(page, 'recording').count()).toBe(0)
    expect(await recordingAlarm(page).count()).toBe(0)
    await notRecording(page).waitFor(SOON)
  }
})

test('a start that reads as refused, because its answer was lost, no longer does once the recording runs', async () => {
  const moderator = await openRoomAlone()
  await moderator.route('**/recording/start', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await startByHand(moderator)
  await recordingButton(moderator, 'pause').waitFor(SOON)
  const refused = recordingText((t) => t.refused.start)
  expect(await recordingPanel(moderator).getByText(refused).count()).toBe(0)
})

test('a start waits for a person who has declined, by name, and a withdrawal ends the recording', async () => {
  const { id: roomId } = await env.tenant.book()
  const moderator = await enterAs({ roomId, role: 'moderator', name: 'Mori' })
  const panelist = await env.open({ roomId, role: 'panelist', name: 'Pana' })
  inside.push(panelist)
  await joinButton(panelist.page).click(SOON)
  await consentButton(panelist.page, 'decline').click(SOON)
  await liveRoom(panelist.page).waitFor(SOON)
  await startByHand(moderator.page)
  const open = recordingPanel(moderator.page)
  await open
    .getByRole('alert')
    .getByText(recordingText((t) => t.refused.consent))
    .waitFor(SOON)
  const refused = consentText((t) => t.staff.refused('Pana'))
  await open.getByText(refused).waitFor(SOON)
  await expectAccessible(moderator.page, 'the panel that names who has not agreed')

  await control(panelist.page, 'consent').click(SOON)
  await expectAccessible(panelist.page, 'the consent of the panelist')
  await ownConsentButton(panelist.page, 'give').click(SOON)
  await open.getByText(consentText((t) => t.staff.everybody)).waitFor(SOON)
  await recordingButton(moderator.page, 'start').click(SOON)
  await recordingIndicator(panelist.page, 'written').waitFor(SOON)
  await ownConsentButton(panelist.page, 'withdraw').click(SOON)
  for (const { page } of [moderator, panelist]) await notRecording(page).waitFor(SOON)
  expect(await liveRoom(panelist.page).count()).toBe(1)
})

test('a recording that the provider never starts alarms only the moderator', async () => {
  const { moderator, panelist } = await openRoom()
  await injectFaults(env.service, { egress: { next: 'stay_starting', count: 10 } })
  await startByHand(moderator)
  await recordingAlarm(pageHead(moderator)).waitFor(SOON)
  expect(await recordingIndicator(moderator).textContent()).toBe('Recording isn’t running')
  expect(await recordingIndicator(panelist).textContent()).toBe('Recording starting')
  expect(await recordingAlarm(panelist).count()).toBe(0)
})

test('a recording that the provider fails to start alarms the moderator, also in the open panel', async () => {
  const { moderator, panelist } = await openRoom()
  await injectFaults(env.service, { egress: { next: 'fail_start', count: 10 } })
  await startByHand(moderator)
  for (const place of [pageHead(moderator), recordingPanel(moderator)]) {
    await recordingAlarm(place, 'failed').waitFor(SOON)
  }
  await expectAccessible(moderator, 'the panel with an alarm')
  expect(await recordingAlarm(panelist).count()).toBe(0)
})

test('a start that the provider refuses is reported with its remedy, and the key Shift + R tries again', async () => {
  const moderator = await openRoomAlone()
  await injectFaults(env.service, { egress: { next: 'refuse_start', count: 100 } })
  await moderator.keyboard.press('Shift+R')
  const words = recordingText((t) => t.refused.start)
  const refused = recordingPanel(moderator).getByRole('alert').getByText(words)
  await refused.filter({ hasText: 'try again' }).waitFor(SOON)
  await expectAccessible(moderator, 'the panel after a refusal')
  await injectFaults(env.service, {})
  await moderator.keyboard.press('Escape')
  await refused.waitFor({ state: 'detached', ...SOON })
  await moderator.keyboard.press('Shift+R')
  await shows(moderator, 'started')
  // The panel says that the key does it: also while it is read.
  await control(moderator, 'recording').click()
  await recordingPanel(moderator).waitFor(SOON)
  await moderator.keyboard.press('Shift+R')
  await shows(moderator, 'paused')
})

test('the Escape key closes the panel while a command is on its way', async () => {
  const moderator = await openRoomAlone()
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  await moderator.route('**/recording/start', async (route) => {
    await isAnswered
    await route.continue()
  })
  await startByHand(moderator)
  await recordingPanel(moderator)
    .getByText(recordingText((t) => t.sending))
    .waitFor(SOON)
  await moderator.keyboard.press('Escape')
  await recordingPanel(moderator).waitFor({ state: 'detached', ...SOON })
  answer()
  await shows(moderator, 'started')
  expect(await recordingPanel(moderator).count()).toBe(0)
})

test('a room that is always recorded alarms when no recording begins, but not after a moderator ended it', async () => {
  await injectFaults(env.service, { egress: { next: 'refuse_start', count: 100 } })
  const { moderator } = await enterRoom('always', { hasDevices: true })
  const { page } = moderator
  await page.clock.install()
  await page.reload()
  await join(moderator)
  const missing = recordingAlarm(pageHead(page), 'missing')
  // Its time of grace begins when the page hears of the room, which may be after a first step of the clock.
  const alarms = async () => {
    await page.clock.fastForward(GRACE_MS)
    return missing.isVisible()
  }
  await waitFor(alarms, { what: 'the alarm', everyMs: 1_000 })
  await injectFaults(env.service, {})
  // It is tried again automatically.
  await recordingIndicator(page).waitFor({ timeout: 120_000 })
  await missing.waitFor({ state: 'detached', ...SOON })
  await control(page, 'recording').click(SOON)
  await endRecording(page)
  await recordingIndicator(page).waitFor({ state: 'detached', ...SOON })

  await page.reload()
  await join(moderator)
  await tile(page, 'Pana').locator('video').waitFor(SOON)
  await page.clock.fastForward(GRACE_MS)
  // The alarm's place exists, and is still empty after the page has drawn the new time.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  expect(await recordingAlarm(page).count()).toBe(0)
})
