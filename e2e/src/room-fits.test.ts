import { readFileSync } from 'node:fs'
import { LOCALES, type Locale, ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { en } from '@interview-room/web/src/i18n/en.ts'
import { ja } from '@interview-room/web/src/i18n/ja.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import { registerHandout } from './harness/handouts.ts'
import { misfitsOf, resizeTo, type Size, tileCollisionsOf } from './harness/misfits.ts'
import {
  chatButton,
  closePanel,
  composer,
  consentButton,
  control,
  handoutStage,
  hideButton,
  joinButton,
  liveRoom,
  openPanel,
  PANEL_NAMES,
  panel,
  panelButton,
  refusal,
  say,
  showButton,
  tile,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { chatText, peopleText } from './harness/words.ts'

/** Phones of today with larger letters: of all combinations, an everyday run takes one for each size of letters. */
const LARGE_TEXT: Required<Size>[] = [
  { width: 360, height: 740, textPercent: 200 },
  { width: 390, height: 844, textPercent: 150 },
  ...(IS_FULL_RUN
    ? [
        { width: 360, height: 740, textPercent: 150 },
        { width: 390, height: 844, textPercent: 200 },
      ]
    : []),
]
/** Every 20 pixels in the long run. An everyday run takes some widths at which the layout changes. */
const OF_USUAL_TEXT: Size[] = IS_FULL_RUN
  ? Array.from({ length: 81 }, (_, index) => 320 + 20 * index).flatMap((width) =>
      [360, 640, 900].map((height) => ({ width, height })),
    )
  : [
      ...[320, 660, 1000].map((width) => ({ width, height: 360 })),
      ...[320, 740].map((width) => ({ width, height: 640 })),
      ...[380, 1920].map((width) => ({ width, height: 900 })),
    ]
const SIZES = [...OF_USUAL_TEXT, ...LARGE_TEXT]
const ROOMY = { width: 1600, height: 900 }
/** WCAG 2.2, 2.5.8. Guests use the page with a finger. */
const TARGET_MIN_PX: Record<Role, number> = {
  moderator: 24,
  panelist: 44,
  observer: 24,
  platform_observer: 24,
}
const NAMES: Record<Role, string> = {
  moderator: 'Bartholomew Featherstonehaugh-Cholmondeley-Marjoribanks the Third of Marketing',
  panelist: '寿限無寿限無五劫の擦り切れ海砂利水魚の水行末雲来末風来末食う寝る処に住む処',
  observer: 'Obi Observer',
  platform_observer: 'Opal Operator',
}
const SESSION = `A concept test of a new drink with a long name 飲料パッケージの新コンセプト調査`
/** A person who holds a phone upright, with a right-to-left name. */
const UPRIGHT = 'مريم بنت عبد الرحمن الطويل'
const PICTURE = 'docs/pictures/room.png'
/** Space below a hint, if there is room for it. */
const NAMES_HEIGHT_PX = 48 + 8

const env = useTestEnvironment()
const people = {} as Record<Role, Person>
let room: Room

beforeAll(async () => {
  room = await env.tenant.book({ name: SESSION })
  const content = readFileSync(PICTURE)
  await registerHandout(env.service, room, {
    kind: 'image',
    name: 'a.png',
    title: 'Shelf',
    content,
  })
  for (const role of ROLES) {
    const who = { roomId: room.id, role, name: NAMES[role], externalId: role }
    people[role] = await env.enter(who)
    // Tiles and panels are measured where they arrive, not on their way.
    await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
  }
  await letPanelistShare()
})

/** The button for this is one more that must fit. */
async function letPanelistShare(): Promise<void> {
  const moderator = await env.enterByHand({ roomId: room.id, role: 'moderator', name: 'by API' })
  const [panelist] = (await env.tenant.participants(room.id)).filter(
    ({ role }) => role === 'panelist',
  )
  await moderator.post(`/participants/${panelist?.id}/screen/allow`)
  const label = peopleText((t) => t.shareScreen)
  await people.panelist.page.getByRole('button', { name: label }).waitFor(SOON)
}

/** Twelve visible people: one holds a phone upright, the others have no camera. */
async function fillRoom(): Promise<void> {
  const upright = await env.connectByHand({ roomId: room.id, role: 'panelist', name: UPRIGHT })
  await upright.publishCamera({ width: 180, height: 320 })
  for (let number = 4; number <= 12; number += 1) {
    await env.connectByHand({ roomId: room.id, role: 'panelist', name: `Participant-${number}` })
  }
  for (const { page } of Object.values(people)) {
    // A preview of a message lies over the videos for ten seconds.
    const preview = page.getByRole('button', { name: chatText((t) => t.dismissPreview) })
    await preview.waitFor({ ...SOON, state: 'detached' })
    await tile(page, 'Participant-12').waitFor(SOON)
    await tile(page, UPRIGHT).locator('video').waitFor(SOON)
  }
}

async function speak(page: Page, locale: Locale): Promise<void> {
  await resizeTo(page, ROOMY)
  if ((await page.locator('html').getAttribute('lang')) === locale) return
  await page.getByRole('button', { name: { ja: '日本語', en: 'English' }[locale] }).click()
  await page.locator(`html[lang="${locale}"]`).waitFor(SOON)
}

const WORDS = { en, ja }

/** Shows the longest connection word for everybody, because it may appear at any time. */
async function weaken(page: Page, locale: Locale): Promise<void> {
  const words = Object.values(WORDS[locale].call.quality)
  const longest = words.toSorted((one, other) => other.length - one.length)[0] ?? ''
  await page.evaluate((word) => {
    for (const label of document.querySelectorAll<HTMLElement>('article [data-quality]')) {
      label.dataset['quality'] = 'poor'
      if (label.lastElementChild !== null) label.lastElementChild.textContent = word
    }
  }, longest)
}

const nameOf = ({ width, height, textPercent = 100 }: Size) =>
  `${width} × ${height}, letters of ${textPercent} %`

/** Everything that does not fit, each with the first size at which it does not. */
async function sweep(
  page: Page,
  minPx: number,
  { isScrolled = false } = {},
): Promise<Record<string, string>> {
  const found = new Map<string, string>()
  for (const size of SIZES) {
    await resizeTo(page, size)
    const misfits = await misfitsOf(page, minPx, { isScrolled })
    for (const misfit of [...misfits, ...(await tileCollisionsOf(page))]) {
      if (!found.has(misfit)) found.set(misfit, nameOf(size))
    }
  }
  await resizeTo(page, ROOMY)
  return Object.fromEntries(found)
}

interface NoticeAndHint {
  noticeEnds: number
  hintBegins: number
  hintEnds: number
  videosEnd: number
}

/** The last of the notices at the top and of the hints at the bottom, with texts of usual length. */
async function noticeAndHint(page: Page): Promise<NoticeAndHint> {
  // Measured beside the videos, over which it lies.
  return page.locator('main > section > div + div').evaluate((over) => {
    const [notices, hints] = [over.firstElementChild, over.lastElementChild]
    const added = [notices, hints].map((place) => {
      const words = document.createElement('p')
      words.textContent = '接続が切れました。再接続しています。このままお待ちください。'
      place?.append(words)
      return words
    })
    const noticeEnds = notices?.getBoundingClientRect().bottom ?? Number.NaN
    const hintBegins = hints?.getBoundingClientRect().top ?? Number.NaN
    const hintEnds = hints?.getBoundingClientRect().bottom ?? Number.NaN
    const videosEnd = over.getBoundingClientRect().bottom
    for (const words of added) words.remove()
    return { noticeEnds, hintBegins, hintEnds, videosEnd }
  })
}

const sweepRoom = async (role: Role) => sweep(people[role].page, TARGET_MIN_PX[role])

/** Observers and operators have the same page, except for the words about the readers. */
const LOCALES_OF: Record<Role, readonly Locale[]> = {
  moderator: LOCALES,
  panelist: LOCALES,
  observer: IS_FULL_RUN ? LOCALES : ['en'],
  platform_observer: IS_FULL_RUN ? LOCALES : ['ja'],
}

describe('every page of a panelist before the room fits at every size', () => {
  const finger = TARGET_MIN_PX.panelist
  const fits = async (page: Page, what: string) =>
    expect([what, await sweep(page, finger, { isScrolled: true })]).toEqual([what, {}])

  test.each(LOCALES)('in %s', async (locale) => {
    const { page } = await env.open({ roomId: room.id, role: 'panelist', name: NAMES.panelist })
    await joinButton(page).waitFor(SOON)
    await speak(page, locale)
    await fits(page, 'device check')
    await joinButton(page).click()
    await consentButton(page, 'give').waitFor(SOON)
    await fits(page, 'consent')
    const { page: refused } = await env.openLink(`${env.service.local.base_url}/r/${room.id}`)
    await refusal(refused, 'bad-link').waitFor(SOON)
    await speak(refused, locale)
    await fits(refused, 'refusal')
  })
})

describe.each(ROLES)('the room of a %s fits at every size', (role) => {
  test.each(LOCALES_OF[role])('in %s, with each panel and with none', async (locale) => {
    const { page } = people[role]
    await speak(page, locale)
    await closePanel(page)
    expect(await sweepRoom(role)).toEqual({})
    for (const name of PANEL_NAMES) {
      if ((await panelButton(page, name).count()) === 0) continue
      await openPanel(page, name)
      expect([name, await sweepRoom(role)]).toEqual([name, {}])
      await closePanel(page)
    }
  })
})

test('a notice and a hint never lie over each other, however small the videos are', async () => {
  const { page } = people.panelist
  await openPanel(page, 'public')
  for (const size of SIZES.filter(({ width }) => width <= 660)) {
    await resizeTo(page, size)
    const { noticeEnds, hintBegins } = await noticeAndHint(page)
    expect([size, hintBegins - noticeEnds >= 0]).toEqual([size, true])
  }
  await resizeTo(page, ROOMY)
  await closePanel(page)
})

test('a hint lies at the lower edge of the videos, above the names', async () => {
  const { page } = people.panelist
  const sizes = [
    { size: ROOMY, controlsPx: 0 },
    { size: { width: 390, height: 844 }, controlsPx: 96 },
  ]
  for (const { size, controlsPx } of sizes) {
    await resizeTo(page, size)
    const { hintEnds, videosEnd } = await noticeAndHint(page)
    const belowPx = Math.round(videosEnd - hintEnds)
    expect([size, belowPx]).toEqual([size, NAMES_HEIGHT_PX + controlsPx])
  }
  await resizeTo(page, ROOMY)
})

test('a long text on a phone held sideways leaves the send button visible', async () => {
  const { page } = people.panelist
  const chat = await openPanel(page, 'public')
  await composer(page, 'public').fill('A long answer. '.repeat(30))
  await resizeTo(page, { width: 640, height: 360 })
  const place = await chat.boundingBox()
  const send = await chatButton(page, 'public', 'send').boundingBox()
  await composer(page, 'public').fill('')
  await resizeTo(page, ROOMY)
  await closePanel(page)
  if (place === null || send === null) throw new Error('the chat is not open')
  expect(send.y).toBeGreaterThanOrEqual(place.y)
  expect(send.y + send.height).toBeLessThanOrEqual(Math.min(place.y + place.height, 360))
  expect(send.height).toBeGreaterThanOrEqual(TARGET_MIN_PX.panelist)
})

test.each(LARGE_TEXT)(
  'an open chat has space for messages and a field at $width × $height with letters of $textPercent %',
  async (size) => {
    const { page } = people.panelist
    const chat = await openPanel(page, 'public')
    await say(page, 'public', `Letters of ${size.textPercent} %`)
    await resizeTo(page, size)
    const lineHeight = 1.5 * 0.16 * size.textPercent
    const list = await chat.getByRole('log').boundingBox()
    const field = await composer(page, 'public').boundingBox()
    expect(list?.height).toBeGreaterThanOrEqual(2 * lineHeight)
    expect(field?.width).toBeGreaterThanOrEqual(3 * lineHeight)
    await composer(page, 'public').click()
    await expectAccessible(page, nameOf(size))
    await resizeTo(page, ROOMY)
    await closePanel(page)
  },
)

test('no control of a phone held sideways lies under its camera', async () => {
  const { page, context } = people.panelist
  const notchPx = 59
  const session = await context.newCDPSession(page)
  const insets = { left: notchPx, leftMax: notchPx, right: notchPx, rightMax: notchPx }
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
  await resizeTo(page, { width: 844, height: 390 })
  const edges = await page.evaluate(() =>
    [...document.querySelectorAll('button, h1')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 1)
      .map((each) => each.getBoundingClientRect())
      .flatMap(({ left, right }) => [left, innerWidth - right]),
  )
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: {} })
  await resizeTo(page, ROOMY)
  expect(edges.length).toBeGreaterThan(10)
  expect(Math.min(...edges)).toBeGreaterThanOrEqual(notchPx)
})

describe('a room of twelve fits at every size', () => {
  beforeAll(fillRoom)

  test.each(ROLES)('for a %s, in a grid and with one large, on weak connections', async (role) => {
    const { page } = people[role]
    const locale = role === 'panelist' ? 'ja' : 'en'
    await speak(page, locale)
    await weaken(page, locale)
    expect(await sweepRoom(role)).toEqual({})
    await control(page, 'layout').click()
    expect(await sweepRoom(role)).toEqual({})
    await control(page, 'layout').click()
  })

  test('with a right-to-left name that is cut at its end', async () => {
    const name = tile(people.panelist.page, UPRIGHT).getByText(UPRIGHT)
    const directions = await name.evaluateAll((each) =>
      each.map((of) => getComputedStyle(of).direction),
    )
    expect(directions).toEqual(['rtl'])
  })

  test('for everybody while a handout is shown, with two panels of the moderator', async () => {
    const { page } = people.moderator
    await openPanel(page, 'handouts')
    await showButton(page, 'Shelf').click()
    await openPanel(page, 'private')
    expect(await panel(page, 'handouts').isVisible()).toBe(true)
    for (const role of ROLES) {
      await handoutStage(people[role].page).getByAltText('Shelf').waitFor(SOON)
      expect([role, await sweepRoom(role)]).toEqual([role, {}])
    }
    await openPanel(page, 'handouts')
    await hideButton(page).click()
    expect(await liveRoom(page).count()).toBe(1)
  })
})
