import { type Role, ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { isWholeInView, resizeTo } from './harness/misfits.ts'
import {
  closePanel,
  closePhoneMenu,
  control,
  event,
  handoutStage,
  helpAlerts,
  joinButton,
  liveRoom,
  markerDialog,
  openPanel,
  openPhoneMenu,
  type Panel,
  PANEL_NAMES,
  panelButton,
  raisedHand,
  showButton,
  recordingButton,
  recordingIndicator,
  tile,
  toolButton,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { roomText, toolsText } from './harness/words.ts'

/** Beside the question of what fits: how much of the page the main thing has. */
const LOBBY_SIZES = [
  { width: 1920, height: 969 },
  { width: 1366, height: 657 },
  { width: 1280, height: 800 },
  { width: 844, height: 390 },
  { width: 390, height: 664 },
  { width: 360, height: 640 },
]
/** A desktop, a laptop, a phone both ways, and a desktop at 200 %. */
const ROOM_SIZES = [
  { width: 1280, height: 800 },
  { width: 1366, height: 657 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 640, height: 400 },
]
/** A desktop of 1280 pixels at 400 %. An open panel takes the place of the pictures. */
const ENLARGED_SIZES = [
  { width: 320, height: 200 },
  { width: 320, height: 256 },
]
const MAIN_SHARE = 0.4
const MAIN_HEIGHT_PX = 160
const NAMES = {
  panelist: 'Pana Panelist',
  moderator: 'Mori Moderator',
  observer: 'Obi Observer',
  platform_observer: 'Opi Operator',
  caller: 'Cara Caller',
}
const env = useTestEnvironment()

describe('before the room', () => {
  test.each<Role>(ROLES)('a %s sees the button to join without scrolling', async (role) => {
    const name = 'A concept test of a new drink with a long name 飲料パッケージの新コンセプト調査'
    const { id: roomId } = await env.tenant.book({ name })
    const { page } = await env.open({ roomId, role, name: '佐藤 花子' })
    await joinButton(page).waitFor(SOON)
    for (const size of LOBBY_SIZES) {
      await page.setViewportSize(size)
      await expect.poll(async () => isWholeInView(joinButton(page)), SOON).toBe(true)
    }
  })
})

/** The part of the page that shows this person, and the height of their picture. */
async function sizeOf(page: Page, name: string): Promise<{ share: number; heightPx: number }> {
  return tile(page, name).evaluate((article) => {
    const { width, height } = article.getBoundingClientRect()
    return { share: (width * height) / (innerWidth * innerHeight), heightPx: height }
  })
}

describe('in a room of two', () => {
  const people = {} as Record<'panelist' | 'moderator' | 'observer', Person>
  beforeAll(async () => {
    const { id: roomId } = await env.tenant.book()
    for (const role of ['panelist', 'moderator', 'observer'] as const) {
      people[role] = await env.enter({ roomId, role, name: NAMES[role] })
      await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
    }
    for (const { page } of Object.values(people)) await tile(page, NAMES.panelist).waitFor(SOON)
    await tile(people.panelist.page, NAMES.moderator).waitFor(SOON)
  })

  test.each([
    ['panelist', NAMES.moderator],
    ['moderator', NAMES.panelist],
    ['observer', NAMES.panelist],
  ] as const)('a %s sees %s on at least two fifths of the page', async (role, other) => {
    const { page } = people[role]
    const small: unknown[] = []
    for (const size of ROOM_SIZES) {
      await resizeTo(page, size)
      for (const panel of [undefined, ...(await panelsOf(page))]) {
        await closePanel(page)
        if (panel !== undefined) await openPanel(page, panel)
        await resizeTo(page, size)
        const { share, heightPx } = await sizeOf(page, other)
        const isLarge = share >= MAIN_SHARE && heightPx >= MAIN_HEIGHT_PX
        if (!isLarge) small.push({ size, panel, share, heightPx })
      }
      await closePanel(page)
    }
    expect(small).toEqual([])
  })
})

describe('in a room of two at 400 %', () => {
  const people = {} as Record<'panelist' | 'moderator', Person>
  beforeAll(async () => {
    const { id: roomId } = await env.tenant.book()
    for (const role of ['panelist', 'moderator'] as const) {
      people[role] = await env.enter({ roomId, role, name: NAMES[role] })
      await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
    }
    await tile(people.panelist.page, NAMES.moderator).waitFor(SOON)
  })

  test.each([
    ['panelist', NAMES.moderator],
    ['moderator', NAMES.panelist],
  ] as const)(
    'a %s reaches the controls, and sees %s unless a panel is open',
    async (role, other) => {
      const { page } = people[role]
      const hidden: unknown[] = []
      for (const size of ENLARGED_SIZES) {
        for (const panel of [undefined, 'public'] as const) {
          await resizeTo(page, size)
          await closePanel(page)
          if (panel !== undefined) await openPanel(page, panel)
          await resizeTo(page, size)
          const areInView = await Promise.all(
            (['microphone', 'camera', 'leave'] as const).map(async (name) =>
              isWholeInView(control(page, name)),
            ),
          )
          if (areInView.includes(false)) hidden.push({ size, panel, areInView })
          if (panel !== undefined) continue
          const { share, heightPx } = await sizeOf(page, other)
          if (share < MAIN_SHARE || heightPx < MAIN_HEIGHT_PX)
            hidden.push({ size, share, heightPx })
        }
      }
      expect(hidden).toEqual([])
    },
  )
})

test('a moderator divides the stage between a handout and the people, by keys and by dragging', async () => {
  const room = await env.tenant.book()
  const image = {
    kind: 'image',
    name: 'package.bmp',
    content: imageOf({ r: 9, g: 9, b: 9 }),
  } as const
  await registerHandout(env.service, room, image)
  const who = { roomId: room.id, role: 'moderator', name: NAMES.moderator } as const
  const { page } = await env.enter(who)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openPanel(page, 'handouts')
  await showButton(page, 'package.bmp').click()
  const divider = page.getByRole('separator', { name: toolsText((t) => t.layout.divider) })
  // It waits until the divider stays where it is.
  await divider.hover(SOON)
  const share = async () => (await sizeOf(page, NAMES.moderator)).share
  const before = await share()
  for (let count = 0; count < 4; count += 1) await divider.press('ArrowLeft')
  await expect.poll(share, SOON).toBeGreaterThan(before)
  await closePanel(page)
  await divider.hover(SOON)
  const wider = await share()
  const { x, y } = (await divider.boundingBox())!
  await page.mouse.down()
  await page.mouse.move(x + 300, y + 300)
  await page.mouse.up()
  await expect.poll(share, SOON).toBeLessThan(wider)
  await expectAccessible(page, 'a handout beside the people')
})

/** The panels that this page offers, on the page itself or in the menu of a phone. */
async function panelsOf(page: Page): Promise<Panel[]> {
  await openPhoneMenu(page)
  const offered: Panel[] = []
  for (const name of PANEL_NAMES) {
    if ((await panelButton(page, name).count()) > 0) offered.push(name)
  }
  await closePhoneMenu(page)
  return offered
}

/** Notices and menus that lie over the middle third of another person's picture. */
async function overFaces(page: Page, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) =>
      // An open menu hides the pictures from screen readers.
      page.getByRole('article', { name, exact: true, includeHidden: true }).evaluate((article) => {
        const { left, top, width, height } = article.getBoundingClientRect()
        const face = new DOMRect(left + width / 3, top + height / 3, width / 3, height / 3)
        const notices = document.querySelectorAll(
          'main :is([role="alert"], [role="status"], output) > *, main p[role="alert"], [role="dialog"], [role="menu"]',
        )
        return [...notices]
          .filter((notice) => notice.closest('article, aside') === null && isOver(notice))
          .map((notice) => notice.textContent ?? '')

        function isOver(notice: Element): boolean {
          const box = notice.getBoundingClientRect()
          const isBeside = box.right <= face.left || box.left >= face.right
          const isPast = box.bottom <= face.top || box.top >= face.bottom
          return box.width > 1 && box.height > 1 && !isBeside && !isPast
        }
      }),
    ),
  )
  return found.flat()
}

describe('notices', () => {
  const people = {} as Record<'panelist' | 'moderator' | 'platform_observer', Person>
  beforeAll(async () => {
    const { id: roomId } = await env.tenant.book()
    for (const role of ['panelist', 'moderator', 'platform_observer'] as const) {
      people[role] = await env.enter({ roomId, role, name: NAMES[role] })
      await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
    }
    const caller = await env.enterByHand({ roomId, role: 'panelist', name: NAMES.caller })
    for (let count = 0; count < 3; count += 1) {
      await caller.post('/events', { event_type: 'help.requested' })
    }
    await control(people.panelist.page, 'hand').click()
  })

  test.each(['moderator', 'platform_observer'] as const)(
    'a %s sees two at most, and none over the middle of a face',
    async (role) => {
      const { page } = people[role]
      const alerts = helpAlerts(page, NAMES.caller)
      const covered: unknown[] = []
      await raisedHand(tile(page, NAMES.panelist)).waitFor(SOON)
      for (const size of ROOM_SIZES) {
        await resizeTo(page, size)
        for (const panel of [undefined, 'private'] as const) {
          await closePanel(page)
          if (panel !== undefined) await openPanel(page, panel)
          await resizeTo(page, size)
          await alerts.first().waitFor(SOON)
          expect(await alerts.count()).toBe(2)
          const others = Object.values(NAMES).filter((name) => name !== NAMES[role])
          const seen = others.filter((name) => name === NAMES.panelist || name === NAMES.moderator)
          for (const what of await overFaces(page, seen)) covered.push({ size, panel, what })
        }
        await closePanel(page)
      }
      expect(covered).toEqual([])
    },
  )

  test('a form for a marker stays below the middle of a face on a desktop', async () => {
    const { page } = people.moderator
    for (const size of [ROOM_SIZES[0]!, ROOM_SIZES[1]!]) {
      await resizeTo(page, size)
      await control(page, 'mark').click()
      await markerDialog(page).waitFor(SOON)
      expect(await overFaces(page, [NAMES.panelist])).toEqual([])
      await page.keyboard.press('Escape')
    }
  })

  test('a moderator lowers a hand on the tile, and an operator answers a call for everybody', async () => {
    const { page } = people.moderator
    const { page: operator } = people.platform_observer
    await raisedHand(tile(page, NAMES.panelist)).click()
    await raisedHand(tile(operator, NAMES.panelist)).waitFor({ ...SOON, state: 'detached' })
    await toolButton(helpAlerts(operator, NAMES.caller).first(), (t) => t.facts.answer).click()
    for (const each of [page, operator]) {
      await expect.poll(async () => helpAlerts(each, NAMES.caller).count(), SOON).toBe(0)
    }
    await event(page, 'helpAnswered', NAMES.platform_observer).waitFor({
      ...SOON,
      state: 'attached',
    })
  })
})

test('a moderator who speaks while muted is told so, beside a handout too, and not over a face', async () => {
  const room = await env.tenant.book()
  const content = imageOf({ r: 9, g: 9, b: 9 })
  await registerHandout(env.service, room, { kind: 'image', name: 'package.bmp', content })
  const at = { roomId: room.id }
  const heard = { hasDevices: true, hasCamera: false }
  const { page } = await env.enter({ ...at, role: 'moderator', name: NAMES.moderator }, heard)
  await env.enter({ ...at, role: 'panelist', name: NAMES.panelist })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await control(page, 'mute').click()
  const hint = page
    .getByRole('alert')
    .filter({ hasText: roomText((t) => t.call.speakingWhileMuted) })
  for (const isShown of [false, true]) {
    if (isShown) {
      await openPanel(page, 'handouts')
      await showButton(page, 'package.bmp').click()
      await handoutStage(page).waitFor(SOON)
    }
    await closePanel(page)
    for (const size of ROOM_SIZES) {
      await resizeTo(page, size)
      await hint.waitFor(SOON)
      expect({ size, isShown, over: await overFaces(page, [NAMES.panelist]) }).toMatchObject({
        over: [],
      })
    }
    await resizeTo(page, ROOM_SIZES[0]!)
  }
})

type Menu = 'more' | 'devices' | 'mark' | 'recording' | 'connection'

/** On a phone, these are in the menu More. */
const IN_PHONE_MENU: readonly Menu[] = ['devices', 'mark']

describe('menus', () => {
  const people = {} as Record<'panelist' | 'moderator' | 'observer', Person>
  beforeAll(async () => {
    const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
    for (const role of ['panelist', 'moderator', 'observer'] as const) {
      people[role] = await env.enter({ roomId, role, name: NAMES[role] })
      await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
    }
  })

  test.each([
    ['panelist', NAMES.moderator, ['devices', 'connection']],
    ['moderator', NAMES.panelist, ['more', 'devices', 'mark', 'recording', 'connection']],
    ['observer', NAMES.panelist, ['more', 'devices', 'mark', 'connection']],
  ] as const)('a %s opens none over the middle of %s', async (role, other, menus) => {
    const { page } = people[role]
    await tile(page, other).waitFor(SOON)
    await closePanel(page)
    const covered: unknown[] = []
    for (const size of ROOM_SIZES) {
      await resizeTo(page, size)
      for (const menu of menus) {
        await openMenu(page, menu)
        for (const what of await overFaces(page, [other])) covered.push({ size, menu, what })
        // A sheet on a phone differs from a menu on a desktop.
        if (size.width <= 390) await expectAccessible(page, `the menu ${menu} on a phone`)
        await closeMenus(page)
      }
    }
    expect(covered).toEqual([])
  })
})

async function openMenu(page: Page, menu: Menu): Promise<void> {
  if (IN_PHONE_MENU.includes(menu)) await openPhoneMenu(page)
  const before = await openMenus(page).count()
  await control(page, menu).click()
  await expect.poll(async () => openMenus(page).count(), SOON).toBeGreaterThan(before)
}

/** A form is in front of the menu of a phone. The focus returns to the menu a moment after the form is closed. */
async function closeMenus(page: Page): Promise<void> {
  const closeOne = async () => {
    await page.keyboard.press('Escape')
    return openMenus(page).count()
  }
  await expect.poll(closeOne, SOON).toBe(0)
}

const openMenus = (page: Page) =>
  page.locator('[role="menu"], [role="dialog"]:not(:has([role="menu"]))')

describe('on a phone that nobody touches', () => {
  test('only the pictures and the sign of the recording stay, until a touch', async () => {
    const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'manual' } })
    const moderator = await env.enter({ roomId, role: 'moderator', name: NAMES.moderator })
    const { page } = await env.enter(
      { roomId, role: 'panelist', name: NAMES.panelist },
      { isPhone: true, isStill: true, hasDevices: false },
    )
    await tile(page, NAMES.moderator).waitFor(SOON)
    await control(moderator.page, 'recording').click()
    await recordingButton(moderator.page, 'start').click()
    await recordingIndicator(page, 'started').waitFor(SOON)

    const leave = control(page, 'leave')
    const isShown = async () =>
      leave.evaluate((button) => button.checkVisibility({ opacityProperty: true }))
    await expect.poll(isShown, SOON).toBe(false)
    const sign = recordingIndicator(page, 'started')
    expect(await sign.evaluate((each) => each.checkVisibility({ opacityProperty: true }))).toBe(
      true,
    )
    expect((await sizeOf(page, NAMES.moderator)).share).toBeGreaterThan(0.7)

    const { width, height } = page.viewportSize()!
    // The first touch presses nothing, even in the place of the button.
    const box = (await leave.boundingBox())!
    await page.touchscreen.tap(width / 2, Math.min(height - 1, box.y))
    await expect.poll(isShown, SOON).toBe(true)
    expect(await liveRoom(page).count()).toBe(1)
  })
})
