import { type OpenedPage, takeParameters } from '../live/tab-storage.ts'

const KEY = 'interview-room.board'

/**
 * Reads the token of the link once and takes it out of the address bar. The tab stores it, so that a reload finds it
 * again. Null if there is none.
 */
export function takeBoardToken(page: OpenedPage): string | null {
  const token = takeParameters(page)?.get('token') ?? null
  if (token !== null) page.storage.setItem(KEY, token)
  return page.storage.getItem(KEY)
}
