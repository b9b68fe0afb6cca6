/** What this tab remembers: a reload finds it again, another tab and the next visit do not. */
export interface TabStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  /** False where the browser keeps nothing, as with all cookies blocked: then a reload finds nothing. */
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
 * What the link carried behind `#`; null where there is nothing. Takes it out of the address bar, unless only there a
 * reload finds it again.
 */
export function takeParameters({ location, history, storage }: OpenedPage): URLSearchParams | null {
  const { hash } = location
  if (hash === '') return null
  if (storage.isKept) history.replaceState(null, '', location.pathname + location.search)
  return new URLSearchParams(hash.slice(1))
}
