/** The part of a media connection that a moderator's pointer uses. */
interface PointerSender {
  /** Sends to everybody in the media room, without a guarantee of delivery. */
  sendPointer(message: Uint8Array<ArrayBuffer>): void
}

/** Delivers messages about a moderator's pointer to everybody. The receiver checks each message. */
export class PointerChannel {
  readonly #sender: () => PointerSender | undefined
  readonly #listeners = new Set<(message: Uint8Array) => void>()

  constructor(sender: () => PointerSender | undefined) {
    this.#sender = sender
  }

  send(message: Uint8Array<ArrayBuffer>): void {
    this.#sender()?.sendPointer(message)
  }

  /** Called for each received message of a moderator. */
  receive(message: Uint8Array): void {
    for (const listener of this.#listeners) listener(message)
  }

  readonly listen = (listener: (message: Uint8Array) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
