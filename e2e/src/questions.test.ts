import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join, type Person, streamedText } from './harness/browser.ts'
import { control, markerDialog, openPanel, panelButton, toolButton } from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { peopleText, toolsText } from './harness/words.ts'

const QUESTION = 'Would she buy it at this price?'
/** A right-to-left text, whose final parenthesis is at the left. */
const FROM_THE_RIGHT = 'האם תקני את זה (במחיר הזה)'
const NOTE = 'She frowned at the price'
const BACK_SEC = 30

const env = useTestEnvironment()
const people = {} as Record<'moderator' | 'observer' | 'panelist', Person>

let roomId: string

beforeAll(async () => {
  roomId = (await env.tenant.book()).id
  for (const role of ['moderator', 'observer', 'panelist'] as const) {
    people[role] = await env.enter({ roomId, role, name: role })
  }
})

const questionOf = ({ page }: Person) => page.getByRole('listitem').filter({ hasText: QUESTION })

test('an observer asks, the moderator works it off, and the respondent learns nothing of it', async () => {
  const { moderator, observer, panelist } = people
  await openPanel(observer.page, 'questions')
  const field = observer.page.getByRole('textbox', {
    name: peopleText((t) => t.questions.label),
  })
  await field.fill(QUESTION)
  await field.press('Enter')
  await questionOf(observer).waitFor(SOON)

  const count = panelButton(moderator.page, 'questions').getByText(
    peopleText((t) => t.questions.count(1)),
  )
  await count.waitFor({ state: 'attached', ...SOON })
  await openPanel(moderator.page, 'questions')
  await expectAccessible(moderator.page, 'questions of a moderator')
  await questionOf(moderator)
    .getByRole('radio', { name: peopleText((t) => t.questions.status.later) })
    .click({ force: true })
  const later = peopleText((t) => t.questions.status.later)
  await questionOf(observer).getByText(later).waitFor(SOON)
  await expectAccessible(observer.page, 'questions of an observer')

  await observer.page.reload()
  await join(observer)
  await openPanel(observer.page, 'questions')
  await questionOf(observer).getByText(later).waitFor(SOON)

  expect(panelist.traffic.text()).not.toContain(QUESTION)
  expect(await panelButton(panelist.page, 'questions').count()).toBe(0)
})

test('a question is read in its own direction, and the placeholder is not cut', async () => {
  const { page } = people.observer
  await openPanel(page, 'questions')
  const field = page.getByRole('textbox', { name: peopleText((t) => t.questions.label) })
  const { wanted, has } = await field.evaluate((input: HTMLInputElement) => {
    const { font } = getComputedStyle(input, '::placeholder')
    const pen = Object.assign(document.createElement('canvas').getContext('2d')!, { font })
    return { wanted: pen.measureText(input.placeholder).width, has: input.clientWidth - 20 }
  })
  expect(wanted).toBeLessThan(has)
  await field.fill(FROM_THE_RIGHT)
  await field.press('Enter')
  const question = page.getByRole('listitem').getByText(FROM_THE_RIGHT)
  expect(await question.evaluate((text) => getComputedStyle(text).direction)).toBe('rtl')
})

test('an observer marks the last 30 s only for themselves', async () => {
  const { moderator, observer, panelist } = people
  const { page } = observer
  await control(page, 'mark').click()
  await markerDialog(page).getByRole('textbox').fill(NOTE)
  expect(await markerDialog(page).getByRole('checkbox').isChecked()).toBe(true)
  await toolButton(markerDialog(page), (t) => t.marker.saveBack(BACK_SEC)).click()
  await openPanel(page, 'facts')
  const note = page.getByRole('listitem').filter({ hasText: NOTE })
  await note.getByText(toolsText((t) => t.facts.onlyYou)).waitFor(SOON)
  await expectAccessible(page, 'events of an observer')

  const { items } = await env.tenant.api.listRoomEvents({
    params: { room_id: roomId },
    query: { event_type: 'marker' },
  })
  const [marker] = items
  expect(items).toHaveLength(1)
  expect(marker?.payload).toMatchObject({ note: NOTE, is_private: true })
  const agoSec = (Date.now() - Date.parse(String(marker?.payload?.['marked_at']))) / 1000
  expect(agoSec).toBeGreaterThanOrEqual(BACK_SEC)
  for (const { traffic, page: other } of [moderator, panelist]) {
    expect(traffic.text() + (await streamedText(other))).not.toContain(NOTE)
  }
})
