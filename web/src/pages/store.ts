import { useSyncExternalStore } from 'react'

/** A value that components read, and that one object changes. */
export class Store<State extends object> {
  readonly #listeners = new Set<() => void>()
  #state: State

  constructor(initial: State) {
    this.#state = initial
  }

  readonly get = (): State => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** A part of a store. The component is drawn again only when that part changes. */
export function useStore<State extends object, Part>(
  store: Store<State>,
  choose: (state: State) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => choose(store.get()))
}
