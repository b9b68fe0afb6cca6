import { ServiceError } from './service-error.ts'

/** Tasks that may wait for their turn. Another one is refused. */
const WAITING_MAX = 50
const RETRY_AFTER_SEC = 5

/** Runs one task after another. Throws 503 SERVICE_UNAVAILABLE, with this note for the log, if too many wait. */
export function oneAtATime(note: string): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (task) => {
    if (waiting >= WAITING_MAX) {
      throw new ServiceError('SERVICE_UNAVAILABLE', {
        headers: { 'retry-after': String(RETRY_AFTER_SEC) },
        note,
      })
    }
    waiting += 1
    const turn = last.then(task)
    last = turn.catch(() => {})
    return turn.finally(() => {
      waiting -= 1
    })
  }
}
