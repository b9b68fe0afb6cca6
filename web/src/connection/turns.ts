/** Runs changes one after the other. Each one starts after the previous one has ended, even if that failed. */
export function inTurns(): (change: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return async (change) => {
    const turn = last.then(change)
    last = turn.catch(() => {})
    return turn
  }
}
