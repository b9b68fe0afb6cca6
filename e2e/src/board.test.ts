import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsInBothSchemes } from './harness/axe.ts'
import {
  alarmOf,
  answerButton,
  cutNotice,
  detailsButton,
  detailsOf,
  endedHeading,
  enterButton,
  liveState,
  news,
  peopleOf,
  rowOf,
  rows,
} from './harness/board-page.ts'
import { join, type Person } from './harness/browser.ts'
import { quickest } from './harness/moments.ts'
import { revokeBoardTokens, linkToBoard } from './harness/operators.ts'
import {
  control,
  helpDialog,
  helpSentDialog,
  openPanel,
  rosterRow,
  toolButton,
  joinButton,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { ANYTHING, boardText, containing, lastTestText } from './harness/words.ts'

const WITHIN_MS = 3_000
const NARROW_PX = 320
const INSPECTOR = 'https://inspector.example/rooms'

const env = useTestEnvironment({
  ownService: { env: { LIVEKIT_INSPECTOR_URL: `${INSPECTOR}/{sid}` } },
})
/** Began six minutes ago, with a moderator and nobody to answer. */
const LONELY = 'Without a respondent'
let lonely: Room
/** Begins now. */
const TALK = 'With a respondent'
let room: Room
let panelist: Person
let board: Person

beforeAll(async () => {
  lonely = await env.tenant.book({ name: LONELY, startsInMin: -6 })
  room = await env.tenant.book({ name: TALK })
  await env.connectByHand(whoIn(lonely, 'moderator', 'Mori Moderator'))
  await env.connectByHand(whoIn(room, 'moderator', 'Kato Moderator'))
  await refuseDevices('Pana Panelist')
  panelist = await env.enter(whoIn(room, 'panelist', 'Pana Panelist'))
  board = await openBoard('op-1')
})

const whoIn = ({ id: roomId }: Room, role: string, name: string) => ({ roomId, role, name })

/** A connection test of this person, who allowed no camera. */
async function refuseDevices(externalId: string): Promise<void> {
  const body = { external_type: 'User', external_id: externalId }
  const answer = await env.tenant.call('POST', '/connection-tests', body)
  const { data } = (await answer.json()) as { data: { id: string; connect_url: string } }
  const report = (call: string, report: object) =>
    fetch(`${env.service.local.base_url}/api/v1/connection-tests/${data.id}/live/${call}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${data.connect_url.split('#ticket=')[1]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(report),
    })
  await report('connected', {})
  await report('result', { status: 'failed', failure_reason: 'permission_denied' })
}

/** The one-line result of somebody's connection test. */
const lastTest = (within: Locator) =>
  within.getByText(containing(lastTestText((t) => t.at(ANYTHING))))

const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN

async function openBoard(operator: string): Promise<Person> {
  const link = await linkToBoard(env.service, { operator, name: 'Opal' })
  const person = await env.openLink(link)
  await liveState(person.page).waitFor(SOON)
  return person
}

/** The panelist presses the help button and confirms. */
async function callForHelp({ page }: Person): Promise<void> {
  await control(page, 'help').click(SOON)
  await toolButton(helpDialog(page), (t) => t.help.send).click(SOON)
  await helpSentDialog(page).waitFor(SOON)
  await page.keyboard.press('Escape')
}

async function answerCall(): Promise<void> {
  const row = rowOf(board.page, TALK)
  await answerButton(row).click(SOON)
  await alarmOf(row, 'HELP_REQUESTED', 'Pana Panelist').waitFor({ ...SOON, state: 'detached' })
}

interface SoundingWindow {
  sounds: number
}

/** Runs in the page: counts what it plays from now on. */
function countSounds(): void {
  const counted = globalThis as unknown as SoundingWindow & typeof globalThis
  counted.sounds = 0
  counted.Audio = class extends counted.Audio {
    constructor(address?: string) {
      super(address)
      counted.sounds += 1
    }
  }
}

const soundsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as SoundingWindow).sounds)

describe('the board', () => {
  test('keeps its token out of the address bar, and finds it again after a reload', async () => {
    expect(new URL(board.page.url()).pathname).toBe('/board')
    expect(new URL(board.page.url()).hash).toBe('')
    await board.page.reload()
    await rowOf(board.page, TALK).waitFor(SOON)
  })

  test('shows the room without a respondent first, and since when', async () => {
    const row = rowOf(board.page, LONELY)
    const missing = alarmOf(row, 'RESPONDENT_MISSING')
    await missing.waitFor(SOON)
    expect(await missing.innerText()).toMatch(/missing.*[6-9] min/s)
    const first = rows(board.page).first()
    expect(await first.getByRole('heading').innerText()).toBe(LONELY)
    const nobody = boardText((t) => t.nobody)
    expect(await peopleOf(row, 'panelist').innerText()).toMatch(nobody)
    await waitFor(async () => /^\(\d\) /.test(await board.page.title()), { what: 'a title' })
  })

  test('shows the people inside and their connection quality', async () => {
    const people = peopleOf(rowOf(board.page, TALK), 'panelist')
    await people.getByText('Pana Panelist').waitFor(SOON)
    await people.getByText(boardText((t) => [t.line.good, t.line.fair])).waitFor(SOON)
  })

  test('links the page of the media provider about the room, for the operator of the service', async () => {
    const answer = await env.tenant.call('GET', `/rooms/${room.id}`)
    const { data } = (await answer.json()) as { data: { provider_inspector_url: string } }
    expect(data.provider_inspector_url).toMatch(/^https:\/\/inspector\.example\/rooms\/RM_\w+$/)
    const link = rowOf(board.page, TALK).getByRole('link', { name: 'Media details' })
    expect(await link.getAttribute('href')).toBe(data.provider_inspector_url)
    expect(await link.getAttribute('rel')).toBe('noreferrer')
  })

  test('shows the result of a connection test, like prejoin page and roster', async () => {
    const REFUSED = /blocked|許可されませんでした/
    const onBoard = rowOf(board.page, TALK)
    await detailsButton(onBoard).press('Enter')
    const details = detailsOf(onBoard, TALK)
    expect(await lastTest(peopleOf(details, 'panelist')).innerText()).toMatch(REFUSED)
    expect(await violationsInBothSchemes(board.page, 'details of a room')).toEqual([])
    await detailsButton(onBoard).press('Enter')
    await details.waitFor({ ...SOON, state: 'detached' })
    const who = whoIn(room, 'moderator', 'Second Moderator')
    const moderator = await env.open(who, { hasDevices: false })
    const title = lastTestText((t) => t.title)
    const onPrejoin = moderator.page.getByRole('region', { name: title })
    await onPrejoin.getByText('Pana Panelist').waitFor(SOON)
    expect(await lastTest(onPrejoin).innerText()).toMatch(REFUSED)
    // It comes late, and must not move the button from under a press.
    expect(await topOf(onPrejoin)).toBeGreaterThan(await topOf(joinButton(moderator.page)))
    expect(await violationsInBothSchemes(moderator.page, 'door with a test')).toEqual([])
    await join(moderator)
    await openPanel(moderator.page, 'roster')
    const row = rosterRow(moderator.page, 'Pana Panelist')
    expect(await lastTest(row).innerText()).toMatch(REFUSED)
    expect(await violationsInBothSchemes(moderator.page, 'roster with a test')).toEqual([])
    // The tested person does not learn the result.
    expect(panelist.traffic.text()).not.toContain('permission_denied')
    await moderator.page.close()
  })

  test('shows a call for help of a panelist within three seconds, and announces it', async () => {
    const shown = alarmOf(rowOf(board.page, TALK), 'HELP_REQUESTED', 'Pana Panelist')
    const tookMs = await quickest(WITHIN_MS, async (attempt) => {
      if (attempt > 0) await answerCall()
      await callForHelp(panelist)
      const from = performance.now()
      await shown.waitFor(SOON)
      return performance.now() - from
    })
    expect(tookMs).toBeLessThan(WITHIN_MS)
    expect(await shown.innerText()).toContain('Pana Panelist')
    expect(await news(board.page).innerText()).toContain('Pana Panelist asked for help')
    // The other room has had an alarm for longer.
    expect(await rows(board.page).first().getByRole('heading').innerText()).toBe(TALK)
  })

  test('has no axe violations, and does not scroll sideways on a phone', async () => {
    const { page } = board
    expect(await violationsInBothSchemes(page, 'board')).toEqual([])
    await page.setViewportSize({ width: NARROW_PX, height: 640 })
    expect(await violationsInBothSchemes(page, 'board on a phone')).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(NARROW_PX)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('lets the operator enter by keyboard, which answers the call unseen by the panelist', async () => {
    const row = rowOf(board.page, TALK)
    await enterButton(row, TALK).focus()
    const [tab] = await Promise.all([
      board.page.waitForEvent('popup', SOON),
      board.page.keyboard.press('Enter'),
    ])
    await tab.waitForURL(new RegExp(`/r/${room.id}$`), SOON)
    await join({ ...board, page: tab })
    await peopleOf(row, 'platform_observer').getByText('Opal').waitFor(SOON)
    await alarmOf(row, 'HELP_REQUESTED', 'Pana Panelist').waitFor({ ...SOON, state: 'detached' })
    expect(panelist.traffic.text()).not.toContain('Opal')
    await tab.close()
  })

  test('marks a call as answered without entering', async () => {
    await callForHelp(panelist)
    await answerCall()
    expect(panelist.traffic.text()).not.toContain('Opal')
  })

  test('closes with a plain page when the links of the operator are ended', async () => {
    const { page, context } = await openBoard('op-leaves')
    await page.evaluate(countSounds)
    await page.getByRole('button', { name: boardText((t) => t.soundOff) }).click(SOON)
    expect(await soundsOf(page)).toBe(1)
    await revokeBoardTokens(env.service, 'op-leaves')
    await endedHeading(page).waitFor(SOON)
    // The page may be in the background.
    await waitFor(async () => (await soundsOf(page)) === 2, { what: 'a sound' })
    expect(await page.title()).toMatch(containing(boardText((t) => t.endedTitle)))
    expect(await violationsInBothSchemes(page, 'board that is over')).toEqual([])
    await context.close()
  })

  test('without a token also says in the title that the link does not work', async () => {
    const { page, context } = await env.openLink(`${env.service.local.base_url}/board`)
    await endedHeading(page).waitFor(SOON)
    expect(await page.title()).toMatch(containing(boardText((t) => t.endedTitle)))
    await context.close()
  })

  test('opens from the playground', async () => {
    const { page, context } = await env.openLink(env.service.local.base_url)
    const [tab] = await Promise.all([
      page.waitForEvent('popup', SOON),
      page.getByRole('link', { name: 'Operator board' }).click(SOON),
    ])
    await rowOf(tab, TALK).waitFor(SOON)
    await context.close()
  })

  test('shows that it is disconnected, and reconnects automatically', async () => {
    const { page } = board
    await env.service.kill()
    await cutNotice(page).waitFor(SOON)
    expect(await page.title()).toMatch(containing(boardText((t) => t.cutTitle)))
    expect(await violationsInBothSchemes(page, 'board that is cut off')).toEqual([])
    await env.startAgain()
    await liveState(page).waitFor(SOON)
    expect(await cutNotice(page).count()).toBe(0)
  })
})
