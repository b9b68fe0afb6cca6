/** What a moderator's pointer needs of a media connection. */
interface PointerSender {
  /** To everybody in the media room; what is lost is lost. */
  sendPointer(message: Uint8Array<ArrayBuffer>): void
}

/** Brings messages about the pointer from moderators to everybody. The receiver checks each message. */
export class PointerChannel {
  readonly #sender: () => PointerSender | undefined
  readonly #listeners = new Set<(message: Uint8Array) => void>()

  constructor(sender: () => PointerSender | undefined) {
    this.#sender = sender
  }

  send(message: Uint8Array<ArrayBuffer>): void {
    this.#sender()?.sendPointer(message)
  }

  /** What a moderator sent arrived. */
  receive(message: Uint8Array): void {
    for (const listener of this.#listeners) listener(message)
  }

  readonly listen = (listener: (message: Uint8Array) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
