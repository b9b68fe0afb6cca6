import { inTurns } from '../../connection/turns.ts'

type Send = (handoutId: string) => Promise<boolean>

/**
 * What a moderator asks to be shown and hidden, one after the other: a request that overtakes another one would leave
 * the wrong handout shown.
 */
export class ShowQueue {
  readonly #shownId: () => string | null
  /** The last request to show, until the room shows it: keys may come faster than the room reports. */
  #asked: { id: string } | null = null
  /** What the service was asked to show, until the room shows it. */
  #sentId: string | null = null
  readonly #inTurn = inTurns()

  /** `shownId`: what the room shows, as far as this page knows. */
  constructor(shownId: () => string | null) {
    this.#shownId = shownId
  }

  /** What the next key refers to. */
  get currentId(): string | null {
    return this.#asked?.id ?? this.#shownId()
  }

  /** The room shows this now. */
  confirm(shownId: string | null): void {
    if (this.#asked?.id === shownId) this.#asked = null
    if (this.#sentId === shownId) this.#sentId = null
  }

  async show(id: string, send: Send): Promise<void> {
    const asked = { id }
    this.#asked = asked
    await this.#inTurn(async () => {
      // What was passed over meanwhile is not shown at all.
      if (this.#asked !== asked) return
      this.#sentId = id
      if ((await send(id)) || this.#asked !== asked) return
      this.#asked = null
      this.#sentId = null
    })
  }

  /** Hides what is shown when its turn comes; also what may be shown because its answer was lost. */
  async hide(send: Send): Promise<void> {
    this.#asked = null
    await this.#inTurn(async () => {
      const ids = new Set([this.#sentId, this.#shownId()])
      this.#sentId = null
      for (const id of ids) if (id !== null) await send(id)
    })
  }
}
