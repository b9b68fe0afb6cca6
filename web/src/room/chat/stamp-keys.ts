import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { stampAt } from './keys.ts'

/** Sends the stamp at this index in an open chat. False if the chat has none there. */
type StampSender = (at: number) => boolean

interface Place {
  /** The chat in which the key was pressed. */
  within: Visibility | undefined
  /** The press was in an input field of that chat. */
  isWriting: boolean
}

/**
 * Chooses the chat for a stamp key while several are open: the chat in which it is pressed, or else the last used
 * one. The respondent chat must have been used; being open is not enough.
 */
export class StampKeys {
  readonly #open = new Map<Visibility, StampSender>()
  #lastUsed: Visibility | undefined

  /** Registers an open chat, and returns a function that removes it. */
  open(chat: Visibility, send: StampSender): () => void {
    this.#open.set(chat, send)
    if (chat !== 'public') this.#lastUsed = chat
    return () => {
      this.#open.delete(chat)
      if (this.#lastUsed === chat) this.#lastUsed = undefined
    }
  }

  /** A press or the focus was in this chat. */
  use(chat: Visibility): void {
    if (this.#open.has(chat)) this.#lastUsed = chat
  }

  /** True if the key sent a stamp. */
  press(key: Parameters<typeof stampAt>[0], { within, isWriting }: Place): boolean {
    const at = stampAt(key, isWriting)
    const chat = this.#chatFor(within)
    if (at === undefined || chat === undefined) return false
    return this.#open.get(chat)?.(at) ?? false
  }

  #chatFor(within: Visibility | undefined): Visibility | undefined {
    if (within !== undefined && this.#open.has(within)) return within
    if (this.#lastUsed !== undefined) return this.#lastUsed
    const open = [...this.#open.keys()]
    // With several chats open and none used, never send to the respondent.
    return open.length === 1 ? open[0] : open.find((chat) => chat !== 'public')
  }
}
