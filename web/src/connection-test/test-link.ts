import { idIn, type OpenedPage, takeParameters } from '../live/tab-storage.ts'

/** The data in the link of a test. */
export interface TestLink {
  connectionTestId: string
  ticket: string | null
}

/**
 * Reads the link once and takes the ticket out of the address bar. The tab stores it, so that a reload finds it
 * again.
 */
export function takeTestLink(page: OpenedPage): TestLink {
  const { location, storage } = page
  const connectionTestId = idIn(location)
  const key = `interview-room.test.${connectionTestId}`
  const brought = takeParameters(page)?.get('ticket') ?? null
  if (brought !== null) storage.setItem(key, brought)
  const ticket = storage.getItem(key)
  // Other characters are not allowed in a header.
  return { connectionTestId, ticket: /^[\x21-\x7e]+$/.test(ticket ?? '') ? ticket : null }
}
