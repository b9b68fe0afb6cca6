import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { withTimeLimit } from '../../lib/time-limit.ts'
import { MediaError } from '../../ports/media.ts'
import type { VisitMessage, VisitOrder, VisitOutcome } from './visit.process.ts'

/** Longer than the limit of the process itself, which is 20 s. */
const VISIT_MAX_MS = 30_000
/** The process is ended when nothing was visited for this long. */
const IDLE_MS = 60_000

// Compiled or not, it is the sibling of this file.
const PROGRAM = new URL(`visit.process${path.extname(import.meta.url)}`, import.meta.url)

/** Without a limit, garbage of visits is collected when there are hundreds of megabytes of it. */
const HEAP = '--max-old-space-size=128'

interface Process {
  child: ChildProcess
  /** Visits under way, by id. */
  ends: Map<number, (outcome: VisitOutcome) => void>
}

/** Visits a media room once; see `visitRoom`. Throws `MediaError`. */
export type Visit = (order: Omit<VisitOrder, 'id'>, signal: AbortSignal) => Promise<void>

/**
 * Visits media rooms from a separate process, which starts with the first visit: a defect of the WebRTC library may end its process,
 * and must not end the service.
 */
export function createVisits({ visitMaxMs = VISIT_MAX_MS, idleMs = IDLE_MS } = {}): Visit {
  let running: Process | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function letGo(gone: Process): void {
    gone.child.kill('SIGKILL')
    if (running === gone) running = undefined
    for (const [id, end] of gone.ends) end({ id, problem: 'the process of the visits has ended' })
  }

  function start(): Process {
    // The process gets neither the secrets of the service nor the options of its caller.
    const child = fork(PROGRAM, {
      env: {},
      execArgv: [HEAP],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const started: Process = { child, ends: new Map() }
    child.on('error', () => letGo(started))
    child.on('exit', () => letGo(started))
    child.on('message', (outcome: VisitOutcome) => started.ends.get(outcome.id)?.(outcome))
    // A service that is stopping does not wait for it: it ends with the channel.
    child.unref()
    child.channel?.unref()
    return started
  }

  return async (order, signal) => {
    signal.throwIfAborted()
    clearTimeout(idle)
    running ??= start()
    const mine = running
    const id = (lastId += 1)
    const send = (message: VisitMessage) => mine.child.send(message, () => {})
    const leave = () => send({ id, isOver: true })
    signal.addEventListener('abort', leave)
    try {
      const { problem } = await withTimeLimit(visitMaxMs, async (late) => {
        const { promise, resolve } = Promise.withResolvers<VisitOutcome>()
        mine.ends.set(id, resolve)
        late.addEventListener('abort', () => letGo(mine))
        send({ id, ...order })
        return promise
      })
      signal.throwIfAborted()
      if (problem !== undefined) throw new MediaError(`could not visit the media room: ${problem}`)
    } finally {
      signal.removeEventListener('abort', leave)
      mine.ends.delete(id)
      if (mine.ends.size === 0) idle = setTimeout(() => letGo(mine), idleMs).unref()
    }
  }
}
