/** What the link of a test carried. */
export interface TestLink {
  connectionTestId: string
  ticket: string | null
}

interface Place {
  location: Pick<Location, 'pathname' | 'search' | 'hash'>
  history: Pick<History, 'replaceState'>
  storage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Reads the link once and takes the ticket out of the address bar. It is kept for this tab, so that a
 * reload finds it again.
 */
export function takeTestLink({ location, history, storage }: Place): TestLink {
  const connectionTestId = location.pathname.split('/').findLast((part) => part !== '') ?? ''
  const key = `interview-room.test.${connectionTestId}`
  if (location.hash !== '') {
    const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket')
    if (ticket !== null) storage.setItem(key, ticket)
    history.replaceState(null, '', location.pathname + location.search)
  }
  const ticket = storage.getItem(key)
  // Anything else could not be said in a header.
  return { connectionTestId, ticket: /^[\x21-\x7e]+$/.test(ticket ?? '') ? ticket : null }
}
