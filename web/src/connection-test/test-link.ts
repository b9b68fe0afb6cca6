import { type OpenedPage, takeParameters } from '../live/tab-storage.ts'

/** What the link of a test carried. */
export interface TestLink {
  connectionTestId: string
  ticket: string | null
}

/**
 * Reads the link once and takes the ticket out of the address bar. It is kept for this tab, so that a
 * reload finds it again.
 */
export function takeTestLink(page: OpenedPage): TestLink {
  const { location, storage } = page
  const connectionTestId = location.pathname.split('/').findLast((part) => part !== '') ?? ''
  const key = `interview-room.test.${connectionTestId}`
  const brought = takeParameters(page)?.get('ticket') ?? null
  if (brought !== null) storage.setItem(key, brought)
  const ticket = storage.getItem(key)
  // Anything else could not be said in a header.
  return { connectionTestId, ticket: /^[\x21-\x7e]+$/.test(ticket ?? '') ? ticket : null }
}
