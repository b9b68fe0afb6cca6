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
/** What one caller may have of it: whoever asks for too much leaves room for others. */
const SHARE_OF_ONE = 3 / 4

const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SEC),
  'content-type': 'application/json; charset=utf-8',
}
const REFUSAL_BODY = JSON.stringify(toEnvelope(new ServiceError('SERVICE_UNAVAILABLE')))

/** The requests that this process works at, by their callers' credentials. */
export interface Load {
  /** Whether one more of this caller is too many. */
  isFullFor(caller: string): boolean
  /** One more; answers how to say that it is done. */
  begin(caller: string): () => void
}

export function createLoad(runningMax: number): Load {
  const oneCallerMax = Math.max(1, Math.floor(runningMax * SHARE_OF_ONE))
  const byCaller = new Map<string, number>()
  let running = 0

  return {
    isFullFor: (caller) => running >= runningMax || (byCaller.get(caller) ?? 0) >= oneCallerMax,
    begin(caller) {
      running += 1
      byCaller.set(caller, (byCaller.get(caller) ?? 0) + 1)
      return () => {
        running -= 1
        const left = (byCaller.get(caller) ?? 0) - 1
        if (left > 0) byCaller.set(caller, left)
        else byCaller.delete(caller)
      }
    },
  }
}

/**
 * Bounds what is worked at side by side on the routes of this scope: what more comes is told at once
 * to come back, so that what was taken is answered in time. Not ban, close and cancel, and not what
 * takes long by its nature.
 */
export function limitLoad(app: App, load: Load): void {
  const ends = new WeakMap<FastifyRequest, () => void>()

  // At once and at no cost: in a storm most of the answers are this one.
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, next) => {
    if (isCounted(request) && load.isFullFor(callerOf(request))) refuse(request, reply)
    else next()
  })
  // Counted behind the body: one that comes slowly keeps nobody from being served.
  app.addHook('preHandler', (request: FastifyRequest, reply: FastifyReply, next) => {
    if (!isCounted(request)) return next()
    if (load.isFullFor(callerOf(request))) return refuse(request, reply)
    ends.set(request, load.begin(callerOf(request)))
    return next()
  })
  app.addHook('onSend', (request: FastifyRequest, _reply, payload, next) => {
    ends.get(request)?.()
    ends.delete(request)
    next(null, payload)
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  request.errorCode = 'SERVICE_UNAVAILABLE'
  void reply.code(503).headers(REFUSAL_HEADERS).send(REFUSAL_BODY)
}

function callerOf({ headers }: FastifyRequest): string {
  return headers.authorization ?? ''
}

function isCounted({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.isUrgent !== true && config.isLong !== true
}
