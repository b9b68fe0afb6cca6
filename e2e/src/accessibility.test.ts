import { readFileSync } from 'node:fs'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, showIn, violationsOf } from './harness/axe.ts'
import { join, type Person } from './harness/browser.ts'
import { registerHandout } from './harness/handouts.ts'
import { tabTo } from './harness/keyboard.ts'
import {
  banDialog,
  chatButton,
  closeDialog,
  closePanel,
  composer,
  consentButton,
  consentDialog,
  control,
  event,
  handoutStage,
  helpDialog,
  helpSentDialog,
  joinButton,
  joinAgainButton,
  leftPage,
  liveRoom,
  menuItem,
  messages,
  muteRequest,
  openPanel,
  ownConsentButton,
  PANEL_NAMES,
  type Panel,
  panel,
  panelButton,
  panelButtons,
  personActions,
  personItem,
  videoTexts,
  previewButton,
  previewDialog,
  recordingIndicator,
  refusal,
  shortcutsDialog,
  showButton,
  stampWords,
  tile,
  toolButton,
} from './harness/room-page.ts'
import { tooSmall, tooWide } from './harness/snapshots.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { toolsText } from './harness/words.ts'

const MODERATOR = 'Mori Moderator'
const PANELIST = 'One panelist'
const PICTURE = 'docs/pictures/room.png'

const env = useTestEnvironment()
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  room = await env.tenant.book({ room: { archive_mode: 'always' } })
  const picture = { kind: 'image', content: readFileSync(PICTURE) } as const
  for (const title of ['First', 'Second']) {
    await registerHandout(env.service, room, { ...picture, title, name: 'confidential_price.png' })
  }
  for (const role of ROLES) {
    const name = role === 'moderator' ? MODERATOR : `One ${role}`
    people[role] = await env.open(
      { roomId: room.id, role, name },
      { hasCamera: role === 'panelist' },
    )
  }
  for (const role of ['observer', 'platform_observer'] as const) await join(people[role])
})

async function countPeerConnections(page: Page): Promise<number> {
  return page.evaluate(
    () => (globalThis as unknown as { peerConnections: unknown[] }).peerConnections.length,
  )
}

async function press(control: Locator, key: 'Enter' | 'Space'): Promise<void> {
  await tabTo(control)
  await control.page().keyboard.press(key)
}

/** A dialog hears Escape once it has the focus: a moment after it is to be seen. Axe judges it before. */
async function leaveDialog(dialog: Locator): Promise<void> {
  const page = dialog.page()
  await dialog.and(page.locator(':focus-within')).waitFor(SOON)
  await expectAccessible(page, await dialog.innerText())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ ...SOON, state: 'detached' })
}

/** How often a change of the page has left the keyboard on nothing, from now on. */
async function countFocusLosses(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const losses = { count: 0 }
    const look = () => {
      if (document.activeElement === document.body) losses.count += 1
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return losses
  })
  return () => counter.evaluate(({ count }) => count)
}

/** The panelist, who comes first in the open roster; Tab starts again after the controls. */
async function askToMute(page: Page): Promise<void> {
  await tabTo(control(page, 'leave'))
  await press(personActions(page, PANELIST), 'Enter')
  await personItem(page, 'mute').and(page.locator(':focus')).waitFor(SOON)
  await page.keyboard.press('Enter')
}

/** Consents. Until then nothing has been sent to the media server. */
async function consent({ page, traffic }: Person): Promise<void> {
  await consentButton(page, 'give').waitFor(SOON)
  await tabTo(consentButton(page, 'decline'))
  await tabTo(consentButton(page, 'give'))
  expect(traffic.sockets()).toEqual([])
  expect(await countPeerConnections(page)).toBe(0)
  await page.keyboard.press('Space')
}

describe('with only the keyboard', () => {
  test('moderator and panelist enter, and nothing goes to the media server before consent', async () => {
    for (const role of ['moderator', 'panelist'] as const) {
      const { page, traffic } = people[role]
      await joinButton(page).waitFor(SOON)
      await press(joinButton(page), 'Enter')
      // Staff are not asked.
      if (role === 'panelist') await consent(people[role])
      await liveRoom(page).waitFor(SOON)
      expect(traffic.sockets()).not.toEqual([])
    }
    const { page } = people.moderator
    await tile(page, PANELIST, 'heard').waitFor(SOON)
    await press(panelButton(page, 'facts'), 'Enter')
    await event(page, 'consentGiven', PANELIST).first().waitFor(SOON)
  })

  test('a panelist mutes, raises the hand, calls for help, leaves and comes back', async () => {
    const { page } = people.panelist
    const { page: moderator } = people.moderator
    await page.keyboard.press('m')
    await tile(moderator, PANELIST, 'muted').waitFor(SOON)
    await control(page, 'unmute').waitFor(SOON)
    await page.keyboard.press('m')
    await tile(moderator, PANELIST, 'heard').waitFor(SOON)
    await page.keyboard.press('v')
    const seen = tile(moderator, PANELIST)
    await seen.locator('video').waitFor({ ...SOON, state: 'hidden' })
    await videoTexts(seen, 'cameraOff').waitFor(SOON)
    await control(page, 'startCamera').waitFor(SOON)
    await page.keyboard.press('v')
    await seen.locator('video').waitFor(SOON)
    const raised = page.waitForResponse('**/live/events')
    await press(control(page, 'hand'), 'Space')
    await (await raised).finished()
    await control(page, 'lowerHand').waitFor(SOON)
    await event(moderator, 'handRaised', PANELIST).waitFor(SOON)
    await page.keyboard.press('h')
    await event(moderator, 'handLowered', PANELIST).waitFor(SOON)

    await page.keyboard.press('?')
    await leaveDialog(shortcutsDialog(page))
    await press(control(page, 'consent'), 'Enter')
    await tabTo(ownConsentButton(page, 'withdraw'))
    await leaveDialog(consentDialog(page))
    await press(control(page, 'help'), 'Enter')
    await helpDialog(page).and(page.locator(':focus-within')).waitFor(SOON)
    const focusLosses = await countFocusLosses(page)
    await press(
      toolButton(helpDialog(page), (t) => t.help.send),
      'Space',
    )
    await helpSentDialog(page).waitFor(SOON)
    expect(await focusLosses()).toBe(0)
    await leaveDialog(helpSentDialog(page))
    const delivered = event(people.platform_observer.page, 'helpRequested', PANELIST)
    await delivered.waitFor({ ...SOON, state: 'attached' })

    await press(control(page, 'leave'), 'Enter')
    await tile(moderator, PANELIST).waitFor({ ...SOON, state: 'detached' })
    await leftPage(page).and(page.locator(':focus-within')).waitFor(SOON)
    await press(joinAgainButton(page), 'Enter')
    await liveRoom(page).waitFor(SOON)
    await tile(moderator, PANELIST, 'heard').waitFor(SOON)
  })

  test('a moderator mutes themselves and others, chats, sets a marker and records', async () => {
    const { page } = people.moderator
    const { page: panelist } = people.panelist
    await press(control(page, 'microphone'), 'Space')
    await tile(panelist, MODERATOR, 'muted').waitFor(SOON)
    await page.keyboard.press('Enter')
    await tile(panelist, MODERATOR, 'heard').waitFor(SOON)
    await page.keyboard.press('b')
    await event(page, 'marker', MODERATOR).waitFor(SOON)
    for (const each of [page, panelist]) await recordingIndicator(each, 'started').waitFor(SOON)
    for (const status of ['paused', 'started'] as const) {
      // One word at a time: while the one is under way, the next is not sent.
      const answer = page.waitForResponse('**/live/recording/*')
      await page.keyboard.press('Shift+R')
      await (await answer).finished()
      await recordingIndicator(panelist, status).waitFor(SOON)
    }

    await press(panelButton(page, 'roster'), 'Enter')
    await askToMute(page)
    // It stays, and must not cover anything on the narrow page below.
    await muteRequest(panelist).waitFor(SOON)
    await tile(page, PANELIST, 'muted').waitFor(SOON)

    await press(panelButton(page, 'public'), 'Enter')
    await tabTo(composer(page, 'public'))
    await page.keyboard.type('Welcome, everybody')
    await press(chatButton(page, 'public', 'send'), 'Space')
    const said = messages(panelist, 'public').getByText('Welcome, everybody')
    await said.waitFor({ ...SOON, state: 'attached' })
    await press(panelButton(page, 'private'), 'Space')
    await panel(page, 'private').waitFor(SOON)
    await page.keyboard.press('2')
    await messages(people.observer.page, 'private')
      .getByText(stampWords('private', 'ask_later'))
      .waitFor({ ...SOON, state: 'attached' })
  })

  test('a moderator previews handouts, shows them one after the other, and hides them', async () => {
    const { page } = people.moderator
    const { page: panelist } = people.panelist
    const shown = (title: string) => handoutStage(panelist).getByAltText(title)
    // The next key starts from what this page knows to be shown.
    const isKnown = (title: string) => handoutStage(page).getByAltText(title).waitFor(SOON)
    await press(panelButton(page, 'handouts'), 'Enter')
    await press(previewButton(page), 'Enter')
    await previewDialog(page).getByAltText('First').waitFor(SOON)
    expect(await handoutStage(panelist).count()).toBe(0)
    await leaveDialog(previewDialog(page))
    await press(showButton(page), 'Enter')
    await shown('First').waitFor(SOON)
    await isKnown('First')
    await page.keyboard.press('n')
    await shown('Second').waitFor(SOON)
    await isKnown('Second')
    await page.keyboard.press('p')
    await shown('First').waitFor(SOON)
    expect(await panelist.content()).not.toContain('confidential')
    await press(
      toolButton(handoutStage(panelist), (t) => t.zoom.larger),
      'Enter',
    )
    const enlarged = panelist.getByRole('group', { name: toolsText((t) => t.zoom.enlarged) })
    await tabTo(enlarged)
    await panelist.keyboard.press('ArrowDown')
    await waitFor(async () => (await enlarged.evaluate((each) => each.scrollTop)) > 0, {
      what: 'the arrow keys move it',
    })
    expect(await violationsOf(panelist, 'enlarged')).toEqual([])
    await page.keyboard.press('x')
    await handoutStage(panelist).waitFor({ ...SOON, state: 'detached' })
  })
})

const UNSEEN: readonly Role[] = ['observer', 'platform_observer']

// The moderator is checked while everybody is there; the panelist never sees who leaves before.
test.each(['moderator', ...UNSEEN, 'panelist'] as const)(
  'the room of a %s fits into 320 pixels, each panel, and axe finds nothing',
  async (role) => {
    const { page } = people[role]
    await page.setViewportSize({ width: 320, height: 640 })
    await showIn(page, 'light')
    await closePanel(page)
    const found = await violationsOf(page, 'no panel')
    if (role === 'panelist') found.push(...(await tooSmall(page, 'no panel')))
    const opened: Panel[] = []
    for (const name of PANEL_NAMES) {
      if ((await panelButton(page, name).count()) === 0) continue
      await openPanel(page, name)
      found.push(...(await violationsOf(page, name)))
      found.push(...(await tooWide(page, name)))
      if (role === 'panelist') found.push(...(await tooSmall(page, name)))
      await closePanel(page)
      opened.push(name)
    }
    expect(opened).toHaveLength(await panelButtons(page).count())
    expect(found).toEqual([])
    // These pages are no longer needed, and every open page loads the machine.
    if (UNSEEN.includes(role)) await people[role].context.close()
  },
)

test('a ban and the end of the interview need no more than the keyboard', async () => {
  const { page } = people.moderator
  await page.setViewportSize({ width: 1280, height: 800 })
  await press(panelButton(page, 'roster'), 'Enter')
  await press(personActions(page, PANELIST), 'Enter')
  await personItem(page, 'mute').and(page.locator(':focus')).waitFor(SOON)
  // A ban is the last.
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await banDialog(page, PANELIST).and(page.locator(':focus-within')).waitFor(SOON)
  await expectAccessible(page, 'ban dialog')
  await page.keyboard.press('Tab')
  await page.keyboard.type('shows the material')
  await press(
    toolButton(banDialog(page, PANELIST), (t) => t.person.banConfirm),
    'Space',
  )
  await refusal(people.panelist.page, 'banned').waitFor(SOON)

  await press(control(page, 'more'), 'Enter')
  const closeItem = toolsText((t) => t.more.close)
  await menuItem(page, closeItem).waitFor(SOON)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await closeDialog(page).waitFor(SOON)
  await expectAccessible(page, 'close dialog')
  await press(
    toolButton(closeDialog(page), (t) => t.close.confirm),
    'Enter',
  )
  await refusal(page, 'closed').waitFor(SOON)
})
