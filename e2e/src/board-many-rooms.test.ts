import { addManyRooms } from '@interview-room/server/src/testing/many-rooms.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsInBothSchemes } from './harness/axe.ts'
import {
  alarmOf,
  answerButton,
  detailsButton,
  filterOf,
  found,
  liveState,
  rowOf,
  rows,
  searchField,
} from './harness/board-page.ts'
import { linkToBoard } from './harness/operators.ts'
import { withServiceDb } from './harness/service-db.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { boardText, containing } from './harness/words.ts'

const ROOMS = IS_FULL_RUN ? 1_000 : 150
const NODES_MAX = 4_000
/** Starts after all others. */
const CALLING = 'Somebody calls'
const EMPTY = 'Nobody came'

const env = useTestEnvironment()
let ids: string[]
let page: Page

beforeAll(async () => {
  const { tenant_id: tenantId } = env.service.local
  const many = { tenantId, count: ROOMS - 2, startsInMin: 5 }
  ids = await withServiceDb(env.service.dataDir, (db) => addManyRooms(db, many))
  await env.tenant.book({ name: EMPTY, startsInMin: -10 })
  const { id: roomId } = await env.tenant.book({ name: CALLING, startsInMin: 25 })
  const panelist = await env.enterByHand({ roomId, role: 'panelist', name: 'Pana Panelist' })
  await panelist.post('/events', { event_type: 'help.requested' })
  const link = await linkToBoard(env.service, { operator: 'op-many', name: 'Opal' })
  ;({ page } = await env.openLink(link, { staysOpen: true }))
  await page.setViewportSize({ width: 1280, height: 900 })
  await liveState(page).waitFor(SOON)
  await rowOf(page, CALLING).waitFor(SOON)
})

afterAll(() =>
  withServiceDb(
    env.service.dataDir,
    (db) => db`update rooms set closed_at = now() where id = any(${ids})`,
  ),
)

const countNodes = () => page.evaluate(() => document.querySelectorAll('*').length)

/** How many rows the screen shows in full. */
const countOnScreen = () =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('article')].map((row) =>
      row.getBoundingClientRect(),
    )
    return boxes.filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length
  })

const namesShown = () => rows(page).getByRole('heading').allInnerTexts()

test('shows 20 rooms or more on the first screen, the call for help of the last room on top', async () => {
  expect(await countOnScreen()).toBeGreaterThanOrEqual(20)
  expect((await namesShown()).slice(0, 3)).toEqual([CALLING, EMPTY, 'Room 1'])
  expect(await filterOf(page, 'all').innerText()).toContain(String(ROOMS))
})

test('has no axe violations', async () => {
  expect(await violationsInBothSchemes(page, 'board with many rooms')).toEqual([])
})

test('draws the rows around the screen only, wherever it is', async () => {
  expect(await countNodes()).toBeLessThan(NODES_MAX)
  const last = `Room ${ROOMS - 2}`
  expect(await rowOf(page, last).count()).toBe(0)
  await page.keyboard.press('End')
  await rowOf(page, last).waitFor(SOON)
  await rowOf(page, 'Room 1').waitFor({ ...SOON, state: 'detached' })
  expect(await countOnScreen()).toBeGreaterThanOrEqual(20)
  expect(await countNodes()).toBeLessThan(NODES_MAX)
  await page.keyboard.press('Home')
  await rowOf(page, 'Room 1').waitFor(SOON)
})

test('keeps a row that is open or holds the keyboard', async () => {
  await detailsButton(rowOf(page, 'Room 1')).press('Enter')
  await detailsButton(rowOf(page, 'Room 2')).focus()
  await page.mouse.wheel(0, 3_000)
  await rowOf(page, 'Room 8').waitFor({ ...SOON, state: 'detached' })
  expect(await rowOf(page, 'Room 1').getByRole('region').count()).toBe(1)
  await page.keyboard.press('Enter')
  expect(await rowOf(page, 'Room 2').getByRole('region').count()).toBe(1)
})

test('filters, always with the calls for help, and remembers it for the tab', async () => {
  await filterOf(page, 'missing').click(SOON)
  expect(await namesShown()).toEqual([CALLING, EMPTY])
  await page.reload()
  await rowOf(page, EMPTY).waitFor(SOON)
  expect(await namesShown()).toEqual([CALLING, EMPTY])
  expect(await filterOf(page, 'missing').isChecked()).toBe(true)
  const words = await found(page).innerText()
  expect(words).toMatch(containing(boardText((t) => t.found(2, ROOMS))))
  expect(words).toMatch(containing(boardText((t) => t.alwaysHelp)))
  await filterOf(page, 'all').click(SOON)
  expect(await found(page).innerText()).toBe('')
})

test('finds rooms by their name and people by theirs, whatever the width of the letters', async () => {
  await searchField(page).fill('ｒｏｏｍ 77')
  await waitFor(async () => (await namesShown()).includes('Room 77'), { what: 'the room' })
  expect(await namesShown()).not.toContain('Room 1')
  await searchField(page).fill('nothing of that name')
  await waitFor(async () => (await rows(page).count()) === 1, { what: 'no room' })
  expect(await namesShown()).toEqual([CALLING])
  await searchField(page).fill('')
})

test('keeps the keyboard in the row whose call was answered', async () => {
  const row = rowOf(page, CALLING)
  await answerButton(row).press('Enter')
  await alarmOf(row, 'HELP_REQUESTED', 'Pana Panelist').waitFor({ ...SOON, state: 'detached' })
  await waitFor(
    async () => detailsButton(row).evaluate((button) => button === document.activeElement),
    { what: 'the button of the row to have the keyboard' },
  )
  expect(await rows(page).first().getByRole('heading').innerText()).toBe(EMPTY)
})
