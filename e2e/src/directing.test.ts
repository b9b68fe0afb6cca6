import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import { FLOATING } from './harness/limited-browsers.ts'
import {
  banDialog,
  control,
  joinAgainButton,
  leftPage,
  liveRoom,
  openPanel,
  peopleButton,
  peopleItem,
  personActions,
  personItem,
  refusal,
  rosterRow,
  tile,
  toolButton,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { ANYTHING, peopleText, toolsText } from './harness/words.ts'

const NAMES = { moderator: 'Mori Moderator', panelist: 'Pana Panelist', other: 'Otto Other' }

const env = useTestEnvironment()
let room: Room
const people = {} as Record<keyof typeof NAMES, Person>

beforeAll(async () => {
  room = await env.tenant.book()
  const enter = async (who: keyof typeof NAMES, before: string) => {
    const role = who === 'moderator' ? 'moderator' : 'panelist'
    const visit = { before, hasDevices: true, hasCamera: who === 'panelist' }
    return env.enter({ roomId: room.id, role, name: NAMES[who] }, visit)
  }
  people.moderator = await enter('moderator', FLOATING.present)
  people.panelist = await enter('panelist', FLOATING.absent)
  people.other = await enter('other', FLOATING.absent)
  await openPanel(people.moderator.page, 'roster')
})

/** Chooses an action on a person in the moderator's open roster. */
async function choose(name: string, item: Parameters<typeof peopleItem>[1]): Promise<void> {
  const { page } = people.moderator
  await personActions(page, name).click()
  await peopleItem(page, item).click()
}

const areaOf = async (page: Page, name: string) => {
  const box = await tile(page, name).boundingBox()
  return box === null ? 0 : box.width * box.height
}

const roomEvents = async (type: string) =>
  (
    await env.tenant.api.listRoomEvents({
      params: { room_id: room.id },
      query: { event_type: type },
    })
  ).items

describe('a moderator', () => {
  test('mutes everyone else with one press', async () => {
    const { page } = people.moderator
    for (const one of ['panelist', 'other'] as const) {
      await tile(page, NAMES[one], 'heard').waitFor(SOON)
      // The service learns of present people by a notification, which may come later than their sound.
      await personActions(page, NAMES[one]).waitFor(SOON)
    }
    await peopleButton(page, 'muteAll').click()
    await page.getByText(peopleText((t) => t.mutedAll(2))).waitFor(SOON)
    for (const one of ['panelist', 'other'] as const) {
      await control(people[one].page, 'unmute').waitFor(SOON)
      await tile(page, NAMES[one], 'muted').waitFor(SOON)
    }
    expect(await control(page, 'mute').count()).toBe(1)
  })

  test('lowers one raised hand, and all of them', async () => {
    const { page } = people.moderator
    const isUp = async (one: 'panelist' | 'other') =>
      (await control(people[one].page, 'lowerHand').count()) === 1
    for (const one of ['panelist', 'other'] as const) {
      await control(people[one].page, 'hand').click()
      await control(people[one].page, 'lowerHand').waitFor(SOON)
    }
    await choose(NAMES.panelist, 'lowerHand')
    await waitFor(async () => !(await isUp('panelist')), { what: 'one hand is down' })
    expect(await isUp('other')).toBe(true)
    await peopleButton(page, 'lowerHands').press('Enter')
    await waitFor(async () => !(await isUp('other')), { what: 'all hands are down' })
    await peopleButton(page, 'lowerHands').waitFor({ state: 'detached', ...SOON })
    expect(await peopleButton(page, 'muteAll').and(page.locator(':focus')).count()).toBe(1)
  })

  test('makes one person large for everybody, and no longer', async () => {
    await choose(NAMES.panelist, 'spotlight')
    const isLarge = (page: Page) => async () =>
      (await areaOf(page, NAMES.panelist)) > 2 * (await areaOf(page, NAMES.moderator))
    for (const one of ['moderator', 'other'] as const) {
      await waitFor(isLarge(people[one].page), { what: `${one} sees one large` })
    }
    await rosterRow(people.moderator.page, NAMES.panelist)
      .getByText(peopleText((t) => t.inSpotlight))
      .waitFor(SOON)
    await expectAccessible(people.moderator.page, 'roster with a spotlight')
    await choose(NAMES.panelist, 'endSpotlight')
    const { page } = people.other
    await waitFor(async () => !(await isLarge(page)()), { what: 'nobody is large' })
  })

  test('lets a panelist share the screen, and ends it', async () => {
    const { page } = people.moderator
    const share = people.other.page.getByRole('button', {
      name: peopleText((t) => [t.shareScreen, t.stopScreen]),
    })
    expect(await share.count()).toBe(0)
    await choose(NAMES.other, 'allowScreen')
    await share.click(SOON)
    const screen = page.getByRole('region', { name: toolsText((t) => t.screen.of(NAMES.other)) })
    await screen.waitFor(SOON)
    await expectAccessible(people.other.page, 'panelist who shares')
    await choose(NAMES.other, 'withdrawScreen')
    await screen.waitFor({ state: 'detached', ...SOON })
    await share.waitFor({ state: 'detached', ...SOON })
    for (const type of ['screen.started', 'screen.ended']) {
      await waitFor(async () => (await roomEvents(type)).length === 1, { what: type })
    }
  })

  test('removes a person, who may come back', async () => {
    await choose(NAMES.other, 'remove')
    const { page } = people.moderator
    const dialog = page.getByRole('alertdialog', {
      name: peopleText((t) => t.removeTitle(NAMES.other)),
    })
    await expectAccessible(page, 'remove dialog')
    await dialog.getByRole('button', { name: peopleText((t) => t.removeConfirm) }).click()
    await refusal(people.other.page, 'removed').waitFor(SOON)
    await tile(page, NAMES.other).waitFor({ state: 'detached', ...SOON })
    await joinAgainButton(people.other.page).click()
    await liveRoom(people.other.page).waitFor(SOON)
    await tile(page, NAMES.other).waitFor(SOON)
  })

  test('bans a person who leaves while the reason is written', async () => {
    const name = 'Lena Leaver'
    const { page } = people.moderator
    const leaver = await env.enter({ roomId: room.id, role: 'panelist', name })
    await personActions(page, name).click()
    await personItem(page, 'ban').click()
    const dialog = banDialog(page, name)
    await dialog.getByRole('textbox').fill('shows the material')
    await control(leaver.page, 'leave').click()
    // Elements outside of the dialog have no role.
    const row = page
      .locator('#panel-roster li')
      .filter({ has: page.getByText(name, { exact: true }) })
    await waitFor(async () => (await row.count()) === 0, { what: 'the person is not listed' })
    await toolButton(dialog, (t) => t.person.banConfirm).click()
    await dialog.waitFor({ state: 'detached', ...SOON })
    expect(await roomEvents('participant.banned')).toHaveLength(1)
    await leaver.context.close()
  })
})

describe('everybody', () => {
  test('puts a video into a floating window and back, if the browser has one', async () => {
    const { page } = people.moderator
    const button = tile(page, NAMES.panelist).getByRole('button', {
      name: peopleText((t) => [t.floating(ANYTHING), t.leaveFloating(ANYTHING)]),
    })
    const isFloating = () => page.evaluate(() => document.pictureInPictureElement !== null)
    await button.click()
    expect(await isFloating()).toBe(true)
    await button.and(page.getByRole('button', { pressed: true })).click()
    expect(await isFloating()).toBe(false)
    const elsewhere = people.other.page.getByRole('button', {
      name: peopleText((t) => t.floating(ANYTHING)),
    })
    expect(await elsewhere.count()).toBe(0)
  })
})

describe('a panelist who leaves', () => {
  test('rates the interview once, and the tenant reads it', async () => {
    const { page } = people.panelist
    await control(page, 'leave').click()
    await leftPage(page).waitFor(SOON)
    const rating = page.getByRole('region', { name: peopleText((t) => t.rating.title) })
    await rating.getByRole('radio', { name: /^4/ }).check({ force: true })
    await rating.getByRole('textbox').fill('話しやすかったです')
    await expectAccessible(page, 'rating')
    await page.emulateMedia({ forcedColors: 'active' })
    const colours = await rating
      .locator('b')
      .evaluateAll((scores) => scores.map((each) => getComputedStyle(each).backgroundColor))
    expect([new Set(colours).size, colours.indexOf(colours[3] ?? '')]).toEqual([2, 3])
    await page.emulateMedia({ forcedColors: null })
    await rating.getByRole('button', { name: peopleText((t) => t.rating.send) }).click()
    const thanks = rating.getByText(peopleText((t) => t.rating.sent))
    await thanks.waitFor(SOON)
    const hasFocus = async () => thanks.evaluate((each) => each === document.activeElement)
    await expect.poll(hasFocus).toBe(true)
    const [event] = await roomEvents('interview.rated')
    expect(event?.payload).toMatchObject({
      display_name: NAMES.panelist,
      score: 4,
      comment: '話しやすかったです',
    })
  })

  test('also rates it after a close', async () => {
    await env.tenant.close(room.id)
    const { page } = people.other
    await refusal(page, 'closed').waitFor(SOON)
    const rating = page.getByRole('region', { name: peopleText((t) => t.rating.title) })
    await rating.getByRole('radio', { name: /^5/ }).check({ force: true })
    await rating.getByRole('button', { name: peopleText((t) => t.rating.send) }).click()
    await rating.getByText(peopleText((t) => t.rating.sent)).waitFor(SOON)
    expect(await roomEvents('interview.rated')).toHaveLength(2)
  })
})
