import { inTurns } from '../../connection/turns.ts'

type Send = (handoutId: string) => Promise<boolean>

/**
 * Sends a moderator's requests to show and hide handouts one after the other. If one request overtook another, the
 * wrong handout would be shown.
 */
export class ShowQueue {
  readonly #shownId: () => string | null
  /** The last requested handout, until the room shows it. Key presses may be faster than the room's reports. */
  #asked: { id: string } | null = null
  /** The last handout that was sent to the service, until the room shows it. */
  #sentId: string | null = null
  readonly #inTurn = inTurns()

  /** `shownId` returns the handout that the room shows, as far as this page knows. */
  constructor(shownId: () => string | null) {
    this.#shownId = shownId
  }

  /** The handout that the next key press starts from. */
  get currentId(): string | null {
    return this.#asked?.id ?? this.#shownId()
  }

  /** The room shows this handout now. */
  confirm(shownId: string | null): void {
    if (this.#asked?.id === shownId) this.#asked = null
    if (this.#sentId === shownId) this.#sentId = null
  }

  async show(id: string, send: Send): Promise<void> {
    const asked = { id }
    this.#asked = asked
    await this.#inTurn(async () => {
      // A newer request replaced this one, so it is not sent.
      if (this.#asked !== asked) return
      this.#sentId = id
      if ((await send(id)) || this.#asked !== asked) return
      this.#asked = null
      this.#sentId = null
    })
  }

  /**
   * Hides the handout that is shown when this request's turn comes. It may have been shown by a request whose answer
   * was lost.
   */
  async hide(send: Send): Promise<void> {
    this.#asked = null
    await this.#inTurn(async () => {
      const ids = new Set([this.#sentId, this.#shownId()])
      this.#sentId = null
      for (const id of ids) if (id !== null) await send(id)
    })
  }
}
