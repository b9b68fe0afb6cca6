import { readFileSync } from 'node:fs'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { showIn, violationsOf } from './harness/axe.ts'
import { join, type Person } from './harness/browser.ts'
import { registerHandout } from './harness/handouts.ts'
import { useHouse } from './harness/house.ts'
import { tabTo } from './harness/keyboard.ts'
import type { Room } from './harness/tenant.ts'

const MODERATOR = 'Mori Moderator'
const PANELIST = 'One panelist'
const PICTURE = 'docs/pictures/room.png'
const LIVE = '[data-testid="room"][data-state="live"]'
const SOON = { timeout: 30_000 }

const house = useHouse()
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  room = await house.tenant.book({ room: { archive_mode: 'always' } })
  const picture = { kind: 'image', content: readFileSync(PICTURE) } as const
  for (const name of ['first.png', 'second.png']) {
    await registerHandout(house.service, room, { ...picture, name })
  }
  for (const role of ROLES) {
    const name = role === 'moderator' ? MODERATOR : `One ${role}`
    people[role] = await house.open({ roomId: room.id, role, name })
  }
  for (const role of ['observer', 'platform_observer'] as const) await join(people[role])
})

async function countPeerConnections(page: Page): Promise<number> {
  return page.evaluate(
    () => (globalThis as unknown as { peerConnections: unknown[] }).peerConnections.length,
  )
}

const refusal = (page: Page, code: string) =>
  page.locator(`[data-testid="refusal"][data-code="${code}"]`)

async function press(page: Page, testId: string, key: 'Enter' | 'Space'): Promise<void> {
  await tabTo(page, testId)
  await page.keyboard.press(key)
}

const fact = (page: Page, type: string) =>
  page.locator(`[data-testid="fact"][data-type="${type}"]`).first()
const tile = (page: Page, name: string, marks = '') =>
  page.locator(`[data-testid="tile"][data-name="${name}"]${marks}`)
const MUTED = '[data-muted="true"]'
const HEARD = '[data-muted="false"]'

/** A dialog hears Escape once it has the focus: a moment after it is to be seen. */
async function leaveDialog(page: Page, shown: string): Promise<void> {
  await page.getByTestId(shown).waitFor(SOON)
  await page
    .locator('[role="dialog"]:focus-within, [role="alertdialog"]:focus-within')
    .waitFor(SOON)
  await page.keyboard.press('Escape')
  await page.getByTestId(shown).waitFor({ ...SOON, state: 'detached' })
}

/** The panelist, who comes first in the open roster; Tab begins anew behind the controls. */
async function askToMute(page: Page): Promise<void> {
  await tabTo(page, 'leave-button')
  await press(page, 'person-actions', 'Enter')
  await page.locator('[data-testid="person-mute"]:focus').waitFor(SOON)
  await page.keyboard.press('Enter')
}

describe('by keyboard alone', () => {
  test('moderator and panelist come in, and nothing goes to the media server before consent', async () => {
    for (const role of ['moderator', 'panelist'] as const) {
      const { page, traffic } = people[role]
      await page.getByTestId('join-button').waitFor(SOON)
      await press(page, 'join-button', 'Enter')
      await page.getByTestId('consent-give').waitFor(SOON)
      await tabTo(page, 'consent-decline')
      await tabTo(page, 'consent-give')
      expect(traffic.sockets()).toEqual([])
      expect(await countPeerConnections(page)).toBe(0)
      await page.keyboard.press('Space')
      await page.locator(LIVE).waitFor(SOON)
      expect(traffic.sockets()).not.toEqual([])
    }
    const { page } = people.moderator
    await tile(page, PANELIST, HEARD).waitFor(SOON)
    await press(page, 'open-facts', 'Enter')
    await fact(page, 'consent.given').getByText(PANELIST).waitFor(SOON)
  })

  test('a panelist mutes, raises the hand, calls for help, leaves and comes back', async () => {
    const { page } = people.panelist
    const { page: moderator } = people.moderator
    await page.keyboard.press('m')
    await tile(moderator, PANELIST, MUTED).waitFor(SOON)
    await page.locator('[data-testid="toggle-mic"][data-look="off"]').waitFor(SOON)
    await page.keyboard.press('m')
    await tile(moderator, PANELIST, HEARD).waitFor(SOON)
    await page.keyboard.press('v')
    await tile(moderator, PANELIST)
      .locator('video[hidden]')
      .waitFor({ ...SOON, state: 'attached' })
    await page.locator('[data-testid="toggle-camera"][data-look="off"]').waitFor(SOON)
    await page.keyboard.press('v')
    await tile(moderator, PANELIST).locator('video:not([hidden])').waitFor(SOON)
    const raised = page.waitForResponse('**/live/events')
    await press(page, 'hand-button', 'Space')
    await (await raised).finished()
    await page.locator('[data-testid="hand-button"][data-look="on"]').waitFor(SOON)
    await fact(moderator, 'hand.raised').waitFor(SOON)
    await page.keyboard.press('h')
    await fact(moderator, 'hand.lowered').waitFor(SOON)

    await page.keyboard.press('?')
    await leaveDialog(page, 'shortcuts-dialog')
    await press(page, 'help-button', 'Enter')
    await press(page, 'help-send', 'Space')
    await leaveDialog(page, 'help-sent')
    await fact(people.platform_observer.page, 'help.requested').waitFor({
      ...SOON,
      state: 'attached',
    })

    await press(page, 'leave-button', 'Enter')
    await tile(moderator, PANELIST).waitFor({ ...SOON, state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator(LIVE).waitFor(SOON)
    await tile(moderator, PANELIST, HEARD).waitFor(SOON)
  })

  test('a moderator mutes themselves and others, writes, marks and records', async () => {
    const { page } = people.moderator
    const { page: panelist } = people.panelist
    await press(page, 'toggle-mic', 'Space')
    await tile(panelist, MODERATOR, MUTED).waitFor(SOON)
    await page.keyboard.press('Enter')
    await tile(panelist, MODERATOR, HEARD).waitFor(SOON)
    await page.keyboard.press('b')
    await fact(page, 'marker').waitFor(SOON)
    for (const status of ['paused', 'started']) {
      // One word at a time: while the one is under way, the next is not sent.
      const answer = page.waitForResponse('**/live/recording/*')
      await page.keyboard.press('r')
      await (await answer).finished()
      const indicator = `[data-testid="recording-indicator"][data-status="${status}"]`
      await panelist.locator(indicator).waitFor(SOON)
    }

    await press(page, 'open-roster', 'Enter')
    await askToMute(page)
    // It stays, and must not be in the way on the narrow page below.
    await panelist.getByTestId('mute-request').waitFor(SOON)
    await tile(page, PANELIST, MUTED).waitFor(SOON)

    await press(page, 'open-public', 'Enter')
    await tabTo(page, 'composer')
    await page.keyboard.type('Welcome, everybody')
    await press(page, 'send', 'Space')
    const said = panelist.getByTestId('message').getByText('Welcome, everybody')
    await said.waitFor({ ...SOON, state: 'attached' })
    await press(page, 'open-private', 'Space')
    await page.getByTestId('panel-private').waitFor(SOON)
    await page.keyboard.press('2')
    await people.observer.page
      .getByTestId('panel-private')
      .locator('[data-testid="message"][data-type="stamp"]')
      .waitFor({ ...SOON, state: 'attached' })
  })

  test('a moderator looks at handouts, shows them one after the other, and hides them', async () => {
    const { page } = people.moderator
    const { page: panelist } = people.panelist
    const shown = (name: string) => panelist.getByTestId('handout-stage').getByAltText(name)
    await press(page, 'open-handouts', 'Enter')
    await press(page, 'handout-preview', 'Enter')
    await page.getByTestId('handout-preview-dialog').locator('img').waitFor(SOON)
    expect(await panelist.getByTestId('handout-stage').count()).toBe(0)
    await leaveDialog(page, 'handout-preview-dialog')
    await press(page, 'handout-show', 'Enter')
    await shown('first.png').waitFor(SOON)
    await page.keyboard.press('n')
    await shown('second.png').waitFor(SOON)
    await page.keyboard.press('p')
    await shown('first.png').waitFor(SOON)
    await page.keyboard.press('x')
    await panelist.getByTestId('handout-stage').waitFor({ ...SOON, state: 'detached' })
  })
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

test('a ban and the end of the interview need no more than the keyboard', async () => {
  const { page } = people.moderator
  await page.setViewportSize({ width: 1280, height: 800 })
  await press(page, 'open-roster', 'Enter')
  await press(page, 'person-actions', 'Enter')
  await page.locator('[data-testid="person-mute"]:focus').waitFor(SOON)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByTestId('ban-dialog').waitFor(SOON)
  await page.keyboard.press('Tab')
  await page.keyboard.type('shows the material')
  await press(page, 'ban-confirm', 'Space')
  await refusal(people.panelist.page, 'PARTICIPANT_BANNED').waitFor(SOON)

  await press(page, 'more-menu', 'Enter')
  await page.getByTestId('more-close').waitFor(SOON)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByTestId('close-dialog').waitFor(SOON)
  await press(page, 'close-confirm', 'Enter')
  await refusal(page, 'SESSION_RELEASED').waitFor(SOON)
})
