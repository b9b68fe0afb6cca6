export type Line = <T>(work: () => Promise<T>) => Promise<T>

/** Does works one after the other. The failure of one is its caller's and does not stop the next. */
export function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
