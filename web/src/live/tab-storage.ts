/** Storage of this tab. A reload finds its values again; another tab or a later visit does not. */
export interface TabStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  /** False if the browser stores nothing, as with all cookies blocked. A reload then finds nothing. */
  readonly isKept: boolean
}

export function openTabStorage(
  page: { readonly sessionStorage: Storage } = globalThis,
): TabStorage {
  try {
    const storage = page.sessionStorage
    return {
      isKept: true,
      getItem: (key) => storage.getItem(key),
      setItem: (key, value) => storage.setItem(key, value),
      removeItem: (key) => storage.removeItem(key),
    }
  } catch {
    const values = new Map<string, string>()
    return {
      isKept: false,
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    }
  }
}

export interface OpenedPage {
  location: Pick<Location, 'pathname' | 'search' | 'hash'>
  history: Pick<History, 'replaceState'>
  storage: TabStorage
}

/**
 * Reads the parameters after `#` in the link; null if there are none. Removes them from the address bar, unless a
 * reload could find them only there.
 */
export function takeParameters({ location, history, storage }: OpenedPage): URLSearchParams | null {
  const { hash } = location
  if (hash === '') return null
  if (storage.isKept) history.replaceState(null, '', location.pathname + location.search)
  return new URLSearchParams(hash.slice(1))
}
