import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { BROWSERS } from './harness/limited-browsers.ts'
import {
  banDialog,
  closePanel,
  composer,
  consentButton,
  control,
  goButton,
  helpDialog,
  joinAgainButton,
  joinButton,
  leftPage,
  liveRoom,
  markerDialog,
  messages,
  openDevices,
  openPanel,
  panel,
  personActions,
  personItem,
  refusal,
  say,
  shareButton,
  showButton,
  tile,
  toolButton,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { chatText, roomText, toolsText } from './harness/words.ts'

const env = useTestEnvironment()

/** The focus is on the heading of the page. */
const headed = (page: Page) => page.locator('h1:focus').waitFor(SOON)

const NO_MICROPHONE = `navigator.mediaDevices.getUserMedia = async () => {
  throw new DOMException('', 'NotAllowedError')
}`

/** The tag of the focused element. */
const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

describe('the keyboard stays on the page', () => {
  test('when a room has opened and Go is pressed', async () => {
    const room = await env.tenant.book({ startsInMin: 120 })
    const { page } = await env.open({ roomId: room.id, role: 'observer', name: 'Early' })
    await refusal(page, 'too-early').waitFor(SOON)
    await page.clock.install()
    await page.reload()
    await refusal(page, 'too-early').waitFor(SOON)
    const starts_at = new Date().toISOString()
    const path = `/sessions/${room.session.id}`
    expect((await env.tenant.call('PATCH', path, { starts_at })).status).toBe(200)
    await page.clock.fastForward(61_000)
    await goButton(page).press('Enter')
    await joinButton(page).waitFor(SOON)
    await headed(page)
  })

  test('when a respondent joins', async () => {
    const { id: roomId } = await env.tenant.book()
    const who = { roomId, role: 'panelist', name: 'Pana' }
    const { page } = await env.open(who, { hasDevices: false })
    await joinButton(page).waitFor(SOON)
    await headed(page)
    await joinButton(page).press('Enter')
    await consentButton(page, 'give').waitFor(SOON)
    await headed(page)
    await consentButton(page, 'give').press('Enter')
    await liveRoom(page).waitFor(SOON)
    await headed(page)
  })

  test('when a sound is tested, and a device is tried again', async () => {
    const { id: roomId } = await env.tenant.book()
    const who = { roomId, role: 'panelist', name: 'Pana' }
    const { page } = await env.open(who, { hasDevices: false, before: NO_MICROPHONE })
    const tone = page.getByRole('button', { name: roomText((t) => t.prejoin.tone) })
    await openDevices(page)
    await tone.press('Enter')
    await expect.poll(async () => tone.count(), SOON).toBe(1)
    expect(await tone.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: roomText((t) => t.problem.retry) }).press('Enter')
    await headed(page)
  })

  test('when the subject of a dialog has left', async () => {
    const { id: roomId } = await env.tenant.book()
    await env.connectByHand({ roomId, role: 'panelist', name: 'Gone' })
    const { page } = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
    const roster = await openPanel(page, 'roster')
    await personActions(page, 'Gone').press('Enter')
    await personItem(page, 'ban').waitFor(SOON)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const dialog = banDialog(page, 'Gone')
    await dialog.getByRole('textbox').fill('a test')
    await toolButton(dialog, (t) => t.person.banConfirm).press('Enter')
    await dialog.waitFor({ ...SOON, state: 'detached' })
    await roster.getByText('Gone').waitFor({ ...SOON, state: 'detached' })
    await tile(page, 'Gone').waitFor({ ...SOON, state: 'detached' })
    await expect.poll(async () => focusedTag(page), SOON).not.toBe('BODY')
  })

  test('when notices are dismissed, a message is discarded, and a handout is shown', async () => {
    const room = await env.tenant.book()
    const { id: roomId } = room
    const content = imageOf({ r: 9, g: 9, b: 9 })
    const image = { kind: 'image', name: 'package.bmp', title: 'Package', content } as const
    await registerHandout(env.service, room, image)
    const caller = await env.enterByHand({ roomId, role: 'panelist', name: 'Pana' })
    const { page } = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
    const call = { event_type: 'help.requested' }
    for (const each of [call, call]) await caller.post('/events', each)
    const dismiss = toolButton(page, (t) => t.facts.dismiss)
    await expect.poll(async () => dismiss.count(), SOON).toBe(2)
    await dismiss.first().press('Enter')
    await expect.poll(async () => dismiss.count(), SOON).toBe(1)
    expect(await dismiss.evaluate((button) => button === document.activeElement)).toBe(true)
    await dismiss.press('Enter')
    await headed(page)

    const error = { code: 'RATE_LIMIT_EXCEEDED', message: '' }
    await page.route('**/live/messages', async (route) =>
      route.fulfill({ status: 429, json: { success: false, error } }),
    )
    await openPanel(page, 'private')
    await composer(page, 'private').fill('Too fast')
    await composer(page, 'private').press('Enter')
    await page.getByRole('button', { name: chatText((t) => t.discard) }).press('Enter')
    await page.locator('[role="log"]:focus').waitFor(SOON)

    await openPanel(page, 'handouts')
    await showButton(page, 'Package').press('Enter')
    await page.locator('section:focus').waitFor(SOON)
  })
})

test('another link to the same room, put into the address bar, is followed', async () => {
  const { id: roomId } = await env.tenant.book()
  const address = `${env.service.local.base_url}/r/${roomId}`
  const { page } = await env.openLink(`${address}#token=over`)
  await refusal(page, 'bad-link').waitFor(SOON)
  const { hash } = new URL(await env.tenant.link({ roomId, role: 'observer', name: 'Again' }))
  await page.evaluate((secret) => {
    globalThis.location.hash = secret
  }, hash)
  await joinButton(page).waitFor(SOON)
  expect(page.url()).toBe(address)
})

test.each(['observer', 'platform_observer'])(
  'somebody with the role %s enters where the browser gives no devices',
  async (role) => {
    const { id: roomId } = await env.tenant.book()
    const { page } = await env.enter({ roomId, role, name: 'Olga' }, BROWSERS.insecure)
    expect(await page.evaluate(() => 'mediaDevices' in navigator)).toBe(false)
  },
)

const NO_SCREEN = `navigator.mediaDevices.getDisplayMedia = async () => {
  throw new DOMException('', 'NotReadableError')
}`

test('an address in a message is a link, and unread messages are in the title of the tab', async () => {
  const { id: roomId } = await env.tenant.book()
  const panelist = await env.enter({ roomId, role: 'panelist', name: 'Pana' })
  const moderator = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
  await openPanel(moderator.page, 'roster')
  await openPanel(panelist.page, 'public')
  await say(panelist.page, 'public', 'I mean https://example.com/page?id=1.')
  await expect.poll(() => moderator.page.title()).toBe('(1) End to end')
  const chat = await openPanel(moderator.page, 'public')
  const link = chat.getByRole('link', { name: 'https://example.com/page?id=1', exact: true })
  expect(await link.getAttribute('href')).toBe('https://example.com/page?id=1')
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  await expect.poll(() => moderator.page.title()).toBe('End to end')
})

test('the back key closes what is open, and then asks; a draft survives a reload', async () => {
  const { id: roomId } = await env.tenant.book()
  const { page } = await env.enter(
    { roomId, role: 'panelist', name: 'Pana' },
    { isPhone: true, hasDevices: false },
  )
  await openPanel(page, 'public')
  await composer(page, 'public').fill('I was about to say')
  await control(page, 'help').click(SOON)
  await helpDialog(page).waitFor(SOON)
  await page.goBack()
  await helpDialog(page).waitFor({ state: 'detached', ...SOON })
  await page.goBack()
  await panel(page, 'public').waitFor({ state: 'hidden', ...SOON })
  await page.goBack()
  const asked = page.getByRole('alertdialog', { name: toolsText((t) => t.leave.title) })
  await toolButton(asked, (t) => t.leave.cancel).click(SOON)
  await asked.waitFor({ state: 'detached', ...SOON })
  expect(await liveRoom(page).count()).toBe(1)

  await page.reload()
  await joinButton(page).click(SOON)
  await openPanel(page, 'public')
  expect(await composer(page, 'public').inputValue()).toBe('I was about to say')
  await page.goBack()
  await page.goBack()
  await toolButton(asked, (t) => t.leave.confirm).click(SOON)
  await leftPage(page).waitFor(SOON)
})

test('a right-to-left name stands before the time of its message', async () => {
  const { id: roomId } = await env.tenant.book()
  const { page } = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
  const dana = await env.enterByHand({ roomId, role: 'panelist', name: 'דנה כהן' })
  const said = { id: randomUUID(), visibility: 'public', content_type: 'text', text: 'שלום!' }
  await dana.post('/messages', said)
  await openPanel(page, 'public')
  const message = messages(page, 'public').filter({ hasText: 'שלום' })
  const name = await message.getByText('דנה כהן').boundingBox(SOON)
  const time = await message.getByRole('time').boundingBox(SOON)
  expect(name!.x).toBeLessThan(time!.x)

  // The message was read there, so no preview of it appears when its chat is closed.
  await closePanel(page)
  const dismiss = page.getByRole('button', { name: chatText((t) => t.dismissPreview) })
  expect(await dismiss.count()).toBe(0)
})

test('a moderator keeps written text, and dismisses the notice that the screen cannot be shared', async () => {
  const { id: roomId } = await env.tenant.book()
  const who = { roomId, role: 'moderator', name: 'Mori' }
  const { page } = await env.enter(who, { before: NO_SCREEN })
  await shareButton(page).click()
  const notice = page.getByText(toolsText((t) => t.screen.failed))
  await notice.waitFor(SOON)
  await toolButton(page, (t) => t.device.dismiss).click()
  await notice.waitFor({ ...SOON, state: 'detached' })

  const release = Promise.withResolvers<void>()
  await page.route('**/live/events', async (route) => {
    await release.promise
    await route.abort()
  })
  await control(page, 'mark').click()
  const note = markerDialog(page).getByRole('textbox')
  await note.fill('They hesitate')
  await note.press('Enter')
  await page.keyboard.press('Escape')
  await markerDialog(page).waitFor({ ...SOON, state: 'detached' })
  release.resolve()
  await markerDialog(page).waitFor(SOON)
  expect(await note.inputValue()).toBe('They hesitate')
  await page.keyboard.press('Escape')
  await markerDialog(page).waitFor({ ...SOON, state: 'detached' })

  // A swipe over the pictures does not reload the page, as phones do when a page is pulled down.
  expect(await page.evaluate(() => getComputedStyle(document.body).overscrollBehavior)).toBe('none')
  await openPanel(page, 'private')
  await composer(page, 'private').fill('Half a thou')
  await control(page, 'leave').click()
  await joinAgainButton(page).click(SOON)
  await liveRoom(page).waitFor(SOON)
  await openPanel(page, 'private')
  expect(await composer(page, 'private').inputValue()).toBe('Half a thou')
})

test('the first Tab reaches the way past the header, and F6 goes around the parts of the room', async () => {
  const { id: roomId } = await env.tenant.book()
  const { page } = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
  const address = page.url()
  const focused = async () =>
    page.evaluate(() => {
      const { ariaLabel, tagName } = document.activeElement!
      return ariaLabel ?? tagName
    })
  const skip = page.getByRole('link', { name: /^(本文へ移動|Skip to the content)$/ })
  await skip.focus()
  await page.keyboard.press('Enter')
  const pictures = roomText((t) => t.call.stage)
  expect(await focused()).toMatch(pictures)
  expect(page.url()).toBe(address)

  await openPanel(page, 'private')
  const seen: string[] = []
  for (const key of ['F6', 'F6', 'F6', 'Shift+F6', 'Shift+F6']) {
    await page.keyboard.press(key)
    seen.push(await focused())
  }
  // The button of the panel has the focus, and is in none of the parts.
  const [first, openPart, controls] = seen
  expect(first).toMatch(pictures)
  expect(seen).toEqual([first, openPart, controls, openPart, first])
  expect(new Set(seen).size).toBe(3)
  await page.keyboard.press('Shift+F6')
  await page.keyboard.press('Tab')
  expect(await control(page, 'microphone').and(page.locator(':focus')).count()).toBe(1)
})
