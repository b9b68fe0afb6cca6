import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { stampAt } from './keys.ts'

/** An open chat with stamps: sends the stamp at this place, from 0; false where it has none there. */
type StampSender = (at: number) => boolean

interface Place {
  /** The chat in which the key was pressed. */
  within: Visibility | undefined
  /** Somebody writes there. */
  isWriting: boolean
}

/**
 * For which chat the key of a stamp is, while several are open: the one in which it is pressed, or else the one
 * that was used last. The respondent chat has to be used for that; being open is not enough.
 */
export class StampKeys {
  readonly #open = new Map<Visibility, StampSender>()
  #lastUsed: Visibility | undefined

  /** For as long as the chat is open; answers what to do at its end. */
  open(chat: Visibility, send: StampSender): () => void {
    this.#open.set(chat, send)
    if (chat !== 'public') this.#lastUsed = chat
    return () => {
      this.#open.delete(chat)
      if (this.#lastUsed === chat) this.#lastUsed = undefined
    }
  }

  /** Somebody pressed, or put the focus, in this chat. */
  use(chat: Visibility): void {
    if (this.#open.has(chat)) this.#lastUsed = chat
  }

  /** Whether the key sent a stamp. */
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
    // Without a hint, and with a choice, nothing goes to the respondent.
    return open.length === 1 ? open[0] : open.find((chat) => chat !== 'public')
  }
}
