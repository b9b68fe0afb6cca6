/** Changes that follow each other: each begins after the end of the last one, also where that failed. */
export function inTurns(): (change: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return async (change) => {
    const turn = last.then(change)
    last = turn.catch(() => {})
    return turn
  }
}
