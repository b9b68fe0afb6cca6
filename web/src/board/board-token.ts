const KEY = 'interview-room.board'

interface Page {
  location: Pick<Location, 'pathname' | 'search' | 'hash'>
  history: Pick<History, 'replaceState'>
  storage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Reads the token of the link once and takes it out of the address bar. It is kept for this tab, so
 * that a reload finds it again. Null without one.
 */
export function takeBoardToken({ location, history, storage }: Page): string | null {
  if (location.hash !== '') {
    const token = new URLSearchParams(location.hash.slice(1)).get('token')
    if (token !== null) storage.setItem(KEY, token)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return storage.getItem(KEY)
}
