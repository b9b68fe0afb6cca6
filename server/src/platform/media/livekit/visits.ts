import path from 'node:path'
import { withTimeLimit } from '../../lib/time-limit.ts'
import { MediaError } from '../../ports/media.ts'
import { createSideProcess } from './side-process.ts'
import type { VisitOrder, VisitOutcome } from './visit.process.ts'

/** Longer than the limit of the process itself, which is 20 s. */
const VISIT_MAX_MS = 30_000
/** The process is ended when nothing was visited for this long. */
const IDLE_MS = 60_000

// Compiled or not, it is the sibling of this file.
const PROGRAM = new URL(`visit.process${path.extname(import.meta.url)}`, import.meta.url)

/** Visits a media room once; see `visitRoom`. Throws `MediaError`. */
export type Visit = (order: Omit<VisitOrder, 'id'>, signal: AbortSignal) => Promise<void>

/** Visits media rooms from a separate process. */
export function createVisits({ visitMaxMs = VISIT_MAX_MS, idleMs = IDLE_MS } = {}): Visit {
  const visiting = createSideProcess<Omit<VisitOrder, 'id'>, VisitOutcome>({
    program: PROGRAM,
    heapMb: 128,
    idleMs,
    gone: 'the process of the visits has ended',
  })
  return async (message, signal) => {
    signal.throwIfAborted()
    const ended = Promise.withResolvers<string | undefined>()
    const order = visiting.open(({ problem }) => ended.resolve(problem))
    const leave = () => order.send({ isOver: true })
    signal.addEventListener('abort', leave)
    try {
      const problem = await withTimeLimit(visitMaxMs, async (late) => {
        late.addEventListener('abort', () => order.kill())
        order.send(message)
        return ended.promise
      })
      signal.throwIfAborted()
      if (problem !== undefined) throw new MediaError(`could not visit the media room: ${problem}`)
    } finally {
      signal.removeEventListener('abort', leave)
      order.close()
    }
  }
}
