import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { join, type Person } from './harness/browser.ts'
import { LONG_DEVICE_NAMES } from './harness/limited-browsers.ts'
import { misfitsOf, resizeTo } from './harness/misfits.ts'
import {
  composer,
  control,
  joinButton,
  openDevices,
  openPanel,
  openPhoneMenu,
  say,
  tile,
  toolButton,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { roomText } from './harness/words.ts'

const NAMES = { own: 'Mori Moderator', other: 'Pana Panelist', third: 'Taro Panelist' }

const env = useTestEnvironment()
let roomId: string
let me: Person

beforeAll(async () => {
  roomId = (await env.tenant.book()).id
  await env.connectByHand({ roomId, role: 'panelist', name: NAMES.other })
  me = await env.enter({ roomId, role: 'moderator', name: NAMES.own })
  await me.page.emulateMedia({ reducedMotion: 'reduce' })
  await tile(me.page, NAMES.other).waitFor(SOON)
})

const mover = (page: Page) => toolButton(page, (t) => t.layout.moveSelf)

/** The corner of the other person's video that has the own one. */
async function cornerOf(page: Page): Promise<string> {
  const own = (await tile(page, NAMES.own).boundingBox())!
  const other = (await tile(page, NAMES.other).boundingBox())!
  expect(own.width * own.height).toBeLessThan((other.width * other.height) / 4)
  const isBottom = own.y + own.height / 2 > other.y + other.height / 2
  const isRight = own.x + own.width / 2 > other.x + other.width / 2
  return `${isBottom ? 'bottom' : 'top'}-${isRight ? 'right' : 'left'}`
}

describe('in a conversation of two the own video', () => {
  test('is dragged into a corner, and does not move for a trembling finger', async () => {
    const { page } = me
    expect(await cornerOf(page)).toBe('bottom-right')
    await drag(page, { x: -5, y: -5 })
    await expect.poll(async () => cornerOf(page)).toBe('bottom-left')
    await drag(page, { x: 40, y: 30 })
    expect(await cornerOf(page)).toBe('bottom-left')
    await drag(page, { x: 600, y: -500 })
    await expect.poll(async () => cornerOf(page)).toBe('top-right')
  })

  test('goes to the next corner by keyboard', async () => {
    const { page } = me
    const seen: string[] = []
    for (const _ of Array.from({ length: 4 })) {
      const before = await cornerOf(page)
      await mover(page).press('Enter')
      await expect.poll(async () => cornerOf(page), SOON).not.toBe(before)
      seen.push(await cornerOf(page))
    }
    expect(new Set(seen).size).toBe(4)
    expect(seen.at(-1)).toBe('top-right')
  })

  test('is there again after a new entry, in the view that was used last', async () => {
    const { page } = me
    expect(await control(page, 'layout').count()).toBe(0)
    const third = await env.connectByHand({ roomId, role: 'panelist', name: NAMES.third })
    await control(page, 'layout').click(SOON)
    const speaker = toolButton(page, (t) => t.layout.speaker)
    await speaker.waitFor(SOON)
    await page.reload()
    await join(me)
    await tile(page, NAMES.other).waitFor(SOON)
    await speaker.waitFor(SOON)
    await speaker.click()
    await third.leave()
    await tile(page, NAMES.third).waitFor({ ...SOON, state: 'detached' })
    await expect.poll(async () => cornerOf(page)).toBe('top-right')
  })
})

test('the border shows the speaker even in forced colours', async () => {
  const { page } = me
  await page.emulateMedia({ forcedColors: 'active' })
  const border = async (isSpeaking: boolean) =>
    tile(page, NAMES.other).evaluate((element, speaking) => {
      element.dataset['speaking'] = String(speaking)
      return getComputedStyle(element, '::after').borderTopWidth
    }, isSpeaking)
  expect([await border(false), await border(true)]).toEqual(['1px', '5px'])
  await page.emulateMedia({ forcedColors: null })
})

/** Drags by this many pixels, as a mouse does. */
async function drag(page: Page, by: { x: number; y: number }): Promise<void> {
  const box = (await mover(page).boundingBox())!
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 4 })
  await page.mouse.up()
}

const SIDEWAYS = { width: 568, height: 320 }
const KEYBOARD_OPEN = { width: 390, height: 320 }
const ENLARGED_TWICE = { width: 195, height: 422 }
const FINGER_PX = 44

const panelist = (name: string) => ({ roomId, role: 'panelist', name })
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

describe('on a phone', () => {
  test('devices with long names leave room for everything', async () => {
    const around = { isPhone: true, before: LONG_DEVICE_NAMES }
    const person = await env.open(panelist('Petra'), around)
    const { page } = person
    await joinButton(page).waitFor(SOON)
    await openDevices(page)
    await page.getByRole('button').filter({ hasText: 'Smart Sound' }).first().waitFor(SOON)
    expect(await widthOf(page)).toBe(390)
    await resizeTo(page, ENLARGED_TWICE)
    expect(await widthOf(page)).toBe(ENLARGED_TWICE.width)
    await join(person)
    expect(await widthOf(page)).toBe(ENLARGED_TWICE.width)
    expect(await misfitsOf(page, FINGER_PX / 2)).toEqual([])
    await resizeTo(page, SIDEWAYS)
    await openPhoneMenu(page)
    await control(page, 'devices').click()
    // The last choice of the menu can be scrolled to, and nothing of it lies over the controls.
    await page.getByRole('checkbox', { name: roomText((t) => t.device.noise) }).check(SOON)
    expect(await misfitsOf(page, FINGER_PX)).toEqual([])
  })

  test('enlarged twice, all of a moderator can be pressed and read', async () => {
    const { page } = await env.enter({ roomId, role: 'moderator', name: 'Mona' }, { isPhone: true })
    for (const size of [ENLARGED_TWICE, { width: 206, height: 458 }]) {
      await resizeTo(page, size)
      expect([size, await misfitsOf(page, FINGER_PX / 2)]).toEqual([size, []])
    }
  })

  test('the on-screen keyboard leaves the chat’s text box visible', async () => {
    const { page } = await env.enter(panelist('Pia'), { isPhone: true })
    await openPanel(page, 'public')
    await composer(page, 'public').tap()
    await resizeTo(page, KEYBOARD_OPEN)
    const isInSight = await composer(page, 'public').evaluate((field) => {
      const { left, top, height } = field.getBoundingClientRect()
      return document.elementFromPoint(left + 9, top + height - 9) === field
    })
    expect(isInSight).toBe(true)
    await say(page, 'public', 'Hello')
    await composer(page, 'public').blur()
    await control(page, 'leave').waitFor(SOON)
  })
})
