export type TaskQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Runs tasks one after the other. A failure goes to its caller and does not stop the next task. */
export function createTaskQueue(): TaskQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
