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

/** The parameters that links of this product carry. */
const PARAMETERS = /(?:^|[#?&;])(token|access_token|ticket|lang)=([^#?&;]*)/g
/** Mail programs and editors wrap lines and put invisible characters into long words. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF\t\r\n]/g
/** Tokens and languages are made of these. What follows is the end of a sentence or a quotation. */
const VALUE = /^[\w.~-]+/

/**
 * Reads the parameters of a link wherever it carries them: mail programs escape the `#`, turn it into `?`, and take a period or a
 * bracket into the link. Null if there are none. Removes them from the address bar, unless a reload could find them only
 * there.
 */
export function takeParameters({ location, history, storage }: OpenedPage): URLSearchParams | null {
  const { pathname, search, hash } = location
  const [path = '', ...rest] = decoded(pathname).split('#')
  let left = search
  const text = [rest.join('#'), decoded(search), decoded(hash)].join('#').replaceAll(INVISIBLE, '')
  const found = new URLSearchParams()
  for (const [, name = '', value = ''] of text.matchAll(PARAMETERS)) {
    found.set(name, (VALUE.exec(value)?.[0] ?? value).replace(/\.+$/, ''))
    const query = new URLSearchParams(left)
    if (!query.has(name)) continue
    query.delete(name)
    left = `${query}` === '' ? '' : `?${query}`
  }
  if (`${found}` === '') return null
  if (storage.isKept) history.replaceState(null, '', path + left)
  return found
}

/** The last part of the path: the id of the room or test, also where parameters have got into the path. */
export function idIn({ pathname }: OpenedPage['location']): string {
  const [path = ''] = decoded(pathname).split('#')
  return path.split('/').findLast((part) => part !== '') ?? ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
