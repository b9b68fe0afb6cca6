import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import type { TabStorage } from './tab-storage.ts'

/** The unsent text of each chat of a room. The tab stores it, so that a reload finds it again. */
export class Drafts {
  readonly #storage: TabStorage
  readonly #roomId: string

  constructor(storage: TabStorage, roomId: string) {
    this.#storage = storage
    this.#roomId = roomId
  }

  get(visibility: Visibility): string {
    return this.#storage.getItem(this.#keyOf(visibility)) ?? ''
  }

  set(visibility: Visibility, text: string): void {
    if (text === '') this.#storage.removeItem(this.#keyOf(visibility))
    else this.#storage.setItem(this.#keyOf(visibility), text)
  }

  #keyOf(visibility: Visibility): string {
    return `interview-room.draft.${this.#roomId}.${visibility}`
  }
}
