import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { SCHEMES, showIn, violationsOf } from './harness/axe.ts'
import { join, type Person } from './harness/browser.ts'
import { useHouse } from './harness/house.ts'
import { endBoardLinks, linkToBoard } from './harness/operators.ts'
import type { Room } from './harness/tenant.ts'
import { waitFor } from './harness/wait.ts'

const SOON = { timeout: 30_000 }
const WITHIN_MS = 3_000
const NARROW_PX = 320
const INSPECTOR = 'https://inspector.example/rooms'

const house = useHouse({ env: { LIVEKIT_INSPECTOR_URL: `${INSPECTOR}/{sid}` } })
/** Began six minutes ago, with a moderator and nobody to answer. */
let lonely: Room
/** Begins now. */
let room: Room
let panelist: Person
let board: Person

beforeAll(async () => {
  lonely = await house.tenant.book({ startsInMin: -6 })
  room = await house.tenant.book()
  await house.enter(whoIn(lonely, 'moderator', 'Mori Moderator'))
  await house.enter(whoIn(room, 'moderator', 'Kato Moderator'))
  await refuseDevices('Pana Panelist')
  panelist = await house.enter(whoIn(room, 'panelist', 'Pana Panelist'))
  board = await openBoard('op-1')
})

const whoIn = ({ id: roomId }: Room, role: string, name: string) => ({ roomId, role, name })
const cardOf = (page: Page, { id }: Room) => page.locator(`[data-room="${id}"]`)
const alarm = (card: Locator, code: string) => card.locator(`[data-code="${code}"]`)

/** A connection test of this person, who allowed no camera. */
async function refuseDevices(externalId: string): Promise<void> {
  const body = { external_type: 'User', external_id: externalId }
  const answer = await house.tenant.call('POST', '/connection-tests', body)
  const { data } = (await answer.json()) as { data: { id: string; connect_url: string } }
  const tell = (call: string, report: object) =>
    fetch(`${house.service.local.base_url}/api/v1/connection-tests/${data.id}/live/${call}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${data.connect_url.split('#ticket=')[1]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(report),
    })
  await tell('connected', {})
  await tell('result', { status: 'failed', failure_reason: 'permission_denied' })
}

async function openBoard(operator: string): Promise<Person> {
  const link = await linkToBoard(house.service, { operator, name: 'Opal' })
  const person = await house.openLink(link)
  await person.page.locator('[data-testid="board"][data-state="live"]').waitFor(SOON)
  return person
}

/** The panelist presses the help button and confirms. */
async function callForHelp({ page }: Person): Promise<void> {
  await page.getByTestId('help-button').click(SOON)
  await page.getByTestId('help-send').click(SOON)
  await page.getByTestId('help-sent').waitFor(SOON)
  await page.keyboard.press('Escape')
}

async function violationsInBothSchemes(page: Page, state: string): Promise<string[]> {
  const found: string[] = []
  for (const scheme of SCHEMES) {
    await showIn(page, scheme)
    found.push(...(await violationsOf(page, `${state}, ${scheme}`)))
  }
  return found
}

describe('the board', () => {
  test('keeps its token out of the address bar, and finds it again after a reload', async () => {
    expect(new URL(board.page.url()).pathname).toBe('/board')
    expect(new URL(board.page.url()).hash).toBe('')
    await board.page.reload()
    await cardOf(board.page, room).waitFor(SOON)
  })

  test('shows the room without a respondent first, and says since when', async () => {
    const card = cardOf(board.page, lonely)
    await alarm(card, 'RESPONDENT_MISSING').waitFor(SOON)
    expect(await alarm(card, 'RESPONDENT_MISSING').innerText()).toMatch(/missing.*for [6-9]:\d\d/s)
    const first = board.page.getByTestId('board-room').first()
    expect(await first.getAttribute('data-room')).toBe(lonely.id)
    expect(await card.getByTestId('people-panelist').getAttribute('data-count')).toBe('0')
    await waitFor(async () => /^\(\d\) /.test(await board.page.title()), { what: 'a title' })
  })

  test('shows who is inside and how their lines are', async () => {
    const people = cardOf(board.page, room).getByTestId('people-panelist')
    await people.getByText('Pana Panelist').waitFor(SOON)
    await people.locator('[data-line="good"], [data-line="fair"]').waitFor(SOON)
  })

  test('links the page of the media provider about the room, for those who run it', async () => {
    const answer = await house.tenant.call('GET', `/rooms/${room.id}`)
    const { data } = (await answer.json()) as { data: { provider_inspector_url: string } }
    expect(data.provider_inspector_url).toMatch(/^https:\/\/inspector\.example\/rooms\/RM_\w+$/)
    const link = cardOf(board.page, room).getByRole('link', { name: 'Media state' })
    expect(await link.getAttribute('href')).toBe(data.provider_inspector_url)
    expect(await link.getAttribute('rel')).toBe('noreferrer')
  })

  test('shows how the connection test of somebody inside ended, as do door and roster', async () => {
    const REFUSED = /not allowed|許可されませんでした/
    const people = cardOf(board.page, room).getByTestId('people-panelist')
    expect(await people.getByTestId('last-test').innerText()).toMatch(REFUSED)
    const moderator = await house.open(whoIn(room, 'moderator', 'Second Moderator'))
    const atTheDoor = moderator.page.getByTestId('respondent-tests')
    await atTheDoor.getByText('Pana Panelist').waitFor(SOON)
    expect(await atTheDoor.getByTestId('last-test').innerText()).toMatch(REFUSED)
    expect(await violationsInBothSchemes(moderator.page, 'door with a test')).toEqual([])
    await join(moderator)
    await moderator.page.getByTestId('open-roster').click(SOON)
    const row = moderator.page.locator('[data-testid="roster-person"][data-role="panelist"]')
    expect(await row.getByTestId('last-test').innerText()).toMatch(REFUSED)
    expect(await violationsInBothSchemes(moderator.page, 'roster with a test')).toEqual([])
    // The person who was tested learns nothing of it.
    expect(panelist.traffic.text()).not.toContain('permission_denied')
    await moderator.page.close()
  })

  test('shows a call for help of a panelist within three seconds, and reads it out', async () => {
    const shown = alarm(cardOf(board.page, room), 'HELP_REQUESTED')
    await callForHelp(panelist)
    await shown.waitFor({ timeout: WITHIN_MS })
    expect(await shown.innerText()).toContain('Pana Panelist')
    const news = board.page.getByTestId('alarm-news')
    expect(await news.innerText()).toContain('Pana Panelist asks for help')
  })

  test('has no violation that axe finds, and nothing to scroll sideways on a phone', async () => {
    const { page } = board
    expect(await violationsInBothSchemes(page, 'board')).toEqual([])
    await page.setViewportSize({ width: NARROW_PX, height: 640 })
    expect(await violationsInBothSchemes(page, 'board on a phone')).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(NARROW_PX)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('lets the operator in by keyboard, which answers the call, and the panelist learns nothing', async () => {
    const card = cardOf(board.page, room)
    await card.getByTestId('open-room').focus()
    const [tab] = await Promise.all([
      board.page.waitForEvent('popup', SOON),
      board.page.keyboard.press('Enter'),
    ])
    await tab.waitForURL(new RegExp(`/r/${room.id}$`), SOON)
    await join({ ...board, page: tab })
    await card.getByTestId('people-platform_observer').getByText('Opal').waitFor(SOON)
    await alarm(card, 'HELP_REQUESTED').waitFor({ ...SOON, state: 'detached' })
    expect(panelist.traffic.text()).not.toContain('Opal')
    await tab.close()
  })

  test('marks a call as answered without entering', async () => {
    const card = cardOf(board.page, room)
    await callForHelp(panelist)
    await card.getByTestId('answer-help').click(SOON)
    await alarm(card, 'HELP_REQUESTED').waitFor({ ...SOON, state: 'detached' })
  })

  test('closes with a plain page when the links of the operator are ended', async () => {
    const { page, context } = await openBoard('op-leaves')
    await endBoardLinks(house.service, 'op-leaves')
    await page.getByTestId('board-ended').waitFor(SOON)
    expect(await violationsInBothSchemes(page, 'board that is over')).toEqual([])
    await context.close()
  })

  test('opens from the playground', async () => {
    const { page, context } = await house.openLink(house.service.local.base_url)
    const [tab] = await Promise.all([
      page.waitForEvent('popup', SOON),
      page.getByRole('link', { name: "Operator's board" }).click(SOON),
    ])
    await cardOf(tab, room).waitFor(SOON)
    await context.close()
  })

  test('says when it is cut off, and goes on by itself', async () => {
    const { page } = board
    await house.service.kill()
    await page.getByTestId('board-cut').waitFor(SOON)
    expect(await violationsInBothSchemes(page, 'board that is cut off')).toEqual([])
    await house.startAgain()
    await page.locator('[data-testid="board"][data-state="live"]').waitFor(SOON)
    expect(await page.getByTestId('board-cut').count()).toBe(0)
  })
})
