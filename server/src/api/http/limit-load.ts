import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { App } from './app-types.ts'
import { toEnvelope } from './errors.ts'
import type { Load } from './load.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long it takes is up to the caller: it is not counted among the requests that are worked at. */
    isLong?: boolean
    /** Set by `limitLoad` for requests that count towards the limit of the process. */
    isCounted?: boolean
  }
  interface FastifyRequest {
    /** Refused before anything was spent on it, even a log line. */
    isTurnedAway: boolean
  }
}

const RETRY_AFTER_SEC = 2
const LOG_EVERY_MS = 1_000
const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SEC),
  'content-type': 'application/json; charset=utf-8',
}
const REFUSAL_BODY = JSON.stringify(toEnvelope(new ServiceError('SERVICE_UNAVAILABLE')))

/**
 * The first hook of all: excess requests are refused immediately with a retry time, before anything is spent on them.
 * In a storm most of the answers are this one, so they are counted in the log, and not written one by one.
 */
export function turnAway(app: App, load: Load, headers: Record<string, string>): void {
  const answer = { ...headers, ...REFUSAL_HEADERS }
  let count = 0
  let logTimer: NodeJS.Timeout | undefined

  function logRefused(): void {
    logTimer = undefined
    app.log.warn({ count }, 'requests rejected: overloaded')
    count = 0
  }

  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, next) => {
    const { config } = request.routeOptions
    if (config.isCounted !== true || !load.isFullFor(callerOf(request))) return next()
    count += 1
    logTimer ??= setTimeout(logRefused, LOG_EVERY_MS).unref()
    request.isTurnedAway = true
    void reply.code(503).headers(answer).header('x-request-id', request.id).send(REFUSAL_BODY)
    return undefined
  })
}

/**
 * Bounds the requests that run side by side on the routes of this scope, and the waiting ones, so that accepted requests are
 * answered in time. Ban, close and cancel are not counted, nor are requests that take long by their nature.
 */
export function limitLoad(app: App, load: Load): void {
  const ends = new WeakMap<FastifyRequest, () => void>()

  app.addHook('onRoute', (route) => {
    const { isUrgent, isLong } = route.config ?? {}
    route.config = { ...route.config, isCounted: isUrgent !== true && isLong !== true }
  })
  // Counted after the body has arrived, so that a slow body keeps nobody from being served.
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.config.isCounted !== true) return undefined
    const end = await load.begin(callerOf(request))
    if (end === undefined) return refuse(request, reply)
    ends.set(request, end)
    return undefined
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload) => {
    ends.get(request)?.()
    ends.delete(request)
    return payload
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.errorCode = 'SERVICE_UNAVAILABLE'
  return reply.code(503).headers(REFUSAL_HEADERS).send(REFUSAL_BODY)
}

function callerOf({ headers }: FastifyRequest): string {
  return headers.authorization ?? ''
}
