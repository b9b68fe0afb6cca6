import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import type { App } from './app-types.ts'
import { toEnvelope } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long it takes is up to the caller: it is not counted among the requests that are worked at. */
    isLong?: boolean
  }
}

const RETRY_AFTER_SEC = 2
/** What one caller may have of the places and of the queue: others find room beside the busiest. */
const SHARE_OF_ONE = 3 / 4
/** For each place, how many may wait for it. */
const WAITING_PER_PLACE = 8
/** Whoever waits longer than that has not been served in time. */
const WAIT_MS = 1_000

const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SEC),
  'content-type': 'application/json; charset=utf-8',
}
const REFUSAL_BODY = JSON.stringify(toEnvelope(new ServiceError('SERVICE_UNAVAILABLE')))

/** The requests that this process works at, and those that wait for that, by their callers. */
export interface Load {
  /** Whether one more of this caller is too many. */
  isFullFor(caller: string): boolean
  /** Waits for a place; answers how to give it back, or undefined when none came free in time. */
  begin(caller: string): Promise<GiveBack | undefined>
}

type GiveBack = () => void
/** Is given the place. */
type Waiter = (giveBack: GiveBack) => void

export function createLoad(placesMax: number, waitMs = WAIT_MS): Load {
  const waitingMax = placesMax * WAITING_PER_PLACE
  const taken = new Map<string, number>()
  /** Callers in the order in which their turn comes. */
  const queues = new Map<string, Set<Waiter>>()
  let running = 0
  let waiting = 0

  const mayRun = (caller: string): boolean =>
    running < placesMax && (taken.get(caller) ?? 0) < placesMax * SHARE_OF_ONE

  function take(caller: string): GiveBack {
    running += 1
    taken.set(caller, (taken.get(caller) ?? 0) + 1)
    return () => {
      running -= 1
      const left = (taken.get(caller) ?? 0) - 1
      if (left > 0) taken.set(caller, left)
      else taken.delete(caller)
      callNext()
    }
  }

  /** Callers in turn, each of them first come, first served. */
  function callNext(): void {
    for (const [caller, queue] of queues) {
      const [next] = queue
      if (next === undefined || !mayRun(caller)) continue
      leave(caller, next)
      const rest = queues.get(caller)
      if (rest !== undefined) {
        queues.delete(caller)
        queues.set(caller, rest)
      }
      next(take(caller))
      return
    }
  }

  function leave(caller: string, waiter: Waiter): void {
    const queue = queues.get(caller)
    if (queue?.delete(waiter) !== true) return
    waiting -= 1
    if (queue.size === 0) queues.delete(caller)
  }

  async function waitForPlace(caller: string): Promise<GiveBack | undefined> {
    const { promise, resolve } = Promise.withResolvers<GiveBack | undefined>()
    const waiter: Waiter = resolve
    const queue = queues.get(caller) ?? new Set()
    queues.set(caller, queue.add(waiter))
    waiting += 1
    const timer = setTimeout(() => {
      leave(caller, waiter)
      resolve(undefined)
    }, waitMs)
    const giveBack = await promise
    clearTimeout(timer)
    return giveBack
  }

  return {
    isFullFor: (caller) =>
      waiting >= waitingMax || (queues.get(caller)?.size ?? 0) >= waitingMax * SHARE_OF_ONE,
    async begin(caller) {
      return mayRun(caller) && !queues.has(caller) ? take(caller) : waitForPlace(caller)
    },
  }
}

/**
 * Bounds what is worked at side by side on the routes of this scope, and what waits for that: what more
 * comes is told at once to come back, so that what was taken is answered in time. Not ban, close and cancel, and not what
 * takes long by its nature.
 */
export function limitLoad(app: App, load: Load): void {
  const ends = new WeakMap<FastifyRequest, () => void>()

  // At once and at no cost: in a storm most of the answers are this one.
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, next) => {
    if (isCounted(request) && load.isFullFor(callerOf(request))) void refuse(request, reply)
    else next()
  })
  // Counted behind the body: one that comes slowly keeps nobody from being served.
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isCounted(request)) return undefined
    const end = await load.begin(callerOf(request))
    if (end === undefined) return refuse(request, reply)
    ends.set(request, end)
    return undefined
  })
  app.addHook('onSend', (request: FastifyRequest, _reply, payload, next) => {
    ends.get(request)?.()
    ends.delete(request)
    next(null, payload)
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.errorCode = 'SERVICE_UNAVAILABLE'
  return reply.code(503).headers(REFUSAL_HEADERS).send(REFUSAL_BODY)
}

function callerOf({ headers }: FastifyRequest): string {
  return headers.authorization ?? ''
}

function isCounted({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.isUrgent !== true && config.isLong !== true
}
