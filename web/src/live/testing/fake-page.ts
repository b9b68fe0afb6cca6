import { Drafts } from '../drafts.ts'
import { openTabStorage, type OpenedPage } from '../tab-storage.ts'

export interface FakePage {
  page: OpenedPage
  /** The values of the address bar after the link, in order. */
  shown: readonly string[]
}

/**
 * A page opened by a link, for tests. `kept` holds the tab's storage; null stands for a browser that stores nothing.
 */
export function openFakePage(link: string, kept: Map<string, string> | null = new Map()): FakePage {
  const location = new URL(link, 'https://rooms.test')
  const shown: string[] = []
  const history = {
    replaceState(_data: unknown, _title: string, address?: string | URL | null) {
      location.href = new URL(String(address), location).href
      shown.push(String(address))
    },
  }
  return {
    page: { location, history, storage: storageOf(kept) },
    shown,
  }
}

function storageOf(kept: Map<string, string> | null): OpenedPage['storage'] {
  return openTabStorage({
    get sessionStorage(): Storage {
      if (kept === null) throw new DOMException('access is denied', 'SecurityError')
      const storage = {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of it that is used
      return storage as unknown as Storage
    },
  })
}

/** The drafts of a tab that was just opened. */
export const fakeDrafts = (): Drafts => new Drafts(storageOf(new Map()), 'room')
