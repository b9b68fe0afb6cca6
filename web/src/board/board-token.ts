import { type OpenedPage, takeParameters } from '../live/tab-storage.ts'

const KEY = 'interview-room.board'

/**
 * Reads the token of the link once and takes it out of the address bar. It is kept for this tab, so
 * that a reload finds it again. Null without one.
 */
export function takeBoardToken(page: OpenedPage): string | null {
  const token = takeParameters(page)?.get('token') ?? null
  if (token !== null) page.storage.setItem(KEY, token)
  return page.storage.getItem(KEY)
}
