import type { AlarmCode } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Locator, Page } from 'playwright-core'
import { boardText } from './words.ts'

/** Says that the board is up to date. */
export const liveState = (page: Page): Locator =>
  page.getByRole('banner').getByText(boardText((t) => t.live))

/** Says that the board is disconnected, and when it was last up to date. */
export const cutNotice = (page: Page): Locator =>
  page.getByRole('status').filter({ has: page.getByText(boardText((t) => t.cutTitle)) })

/** The announcement for screen readers. */
export const news = (page: Page): Locator => page.getByRole('banner').getByRole('status')

export const endedHeading = (page: Page): Locator =>
  page.getByRole('heading', { name: boardText((t) => t.endedTitle) })

/** The rooms, in the order of the page. */
export const cards = (page: Page): Locator =>
  page.getByRole('list', { name: boardText((t) => t.rooms) }).getByRole('article')

export const cardOf = (page: Page, name: string): Locator =>
  page.getByRole('article', { name, exact: true })

/** An alarm, with the person's name if it is about one person. */
export function alarmOf(card: Locator, code: AlarmCode, name = ''): Locator {
  const words = card.page().getByText(boardText((t) => t.alarm[code](name)))
  const alarms = card.getByRole('list', { name: boardText((t) => t.alarms) })
  return alarms.getByRole('listitem').filter({ has: words })
}

/** The people of this role, or the text that there are none. */
export const peopleOf = (card: Locator, role: Role): Locator =>
  card.getByRole('list', { name: boardText((t) => t.roles[role]) })

export const answerButton = (card: Locator): Locator =>
  card.getByRole('button', { name: boardText((t) => t.answer) })

export const enterButton = (card: Locator, name: string): Locator =>
  card.getByRole('button', { name: boardText((t) => t.openNamed(name)) })
