import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join, type Person } from './harness/browser.ts'
import { openPanel, panelButton } from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { peopleText } from './harness/words.ts'

const SOON = { timeout: 30_000 }
const QUESTION = 'Would she buy it at this price?'

const env = useTestEnvironment()
const people = {} as Record<'moderator' | 'observer' | 'panelist', Person>

beforeAll(async () => {
  const room = await env.tenant.book()
  for (const role of ['moderator', 'observer', 'panelist'] as const) {
    people[role] = await env.enter({ roomId: room.id, role, name: role }, { isQuiet: true })
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
