import type { AlarmCode } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { boardEn } from '@interview-room/web/src/i18n/board-en.ts'
import type { Locator, Page } from 'playwright-core'
import { beginningWith, boardText } from './words.ts'

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

/** The rows that are drawn, in the order of the page. */
export const rows = (page: Page): Locator =>
  page.getByRole('list', { name: boardText((t) => t.rooms) }).getByRole('article')

export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('article', { name, exact: true })

/** An alarm in the row, with the person's name if it is about one person. */
export function alarmOf(row: Locator, code: AlarmCode, name = ''): Locator {
  const words = row.page().getByText(boardText((t) => t.alarm[code](name)))
  const alarms = row.getByRole('list', { name: boardText((t) => t.alarms) }).first()
  return alarms.getByRole('listitem').filter({ has: words })
}

/** The people of this role in the row, or the text that there are none. */
export const peopleOf = (row: Locator, role: Role): Locator =>
  row.getByRole('list', { name: boardText((t) => t.roles[role]) }).first()

/** The button with the name of the room, which opens and closes the details. */
export const detailsButton = (row: Locator): Locator => row.getByRole('heading').getByRole('button')

/** The details, while they are open. */
export const detailsOf = (row: Locator, name: string): Locator =>
  row.getByRole('region', { name: boardText((t) => t.details(name)) })

export const answerButton = (row: Locator): Locator =>
  row.getByRole('button', { name: boardText((t) => t.answer) })

export const enterButton = (row: Locator, name: string): Locator =>
  row.getByRole('button', { name: boardText((t) => t.openNamed(name)) })

/** A filter, by its word, with the number of rooms behind it. */
export const filterOf = (page: Page, show: keyof typeof boardEn.show): Locator =>
  page.getByRole('radio', { name: beginningWith(boardText((t) => t.show[show])) })

export const searchField = (page: Page): Locator =>
  page.getByRole('searchbox', { name: boardText((t) => t.search) })

/** The announced number of rooms in view. */
export const found = (page: Page): Locator => page.getByRole('main').getByRole('status')
