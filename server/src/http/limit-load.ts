import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import type { App } from './app-types.ts'
import { toEnvelope } from './errors.ts'
import type { Load } from './load.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long it takes is up to the caller: it is not counted among the requests that are worked at. */
    isLong?: boolean
  }
}

const RETRY_AFTER_SEC = 2
const REFUSAL_HEADERS = {
  'retry-after': String(RETRY_AFTER_SEC),
  'content-type': 'application/json; charset=utf-8',
}
const REFUSAL_BODY = JSON.stringify(toEnvelope(new ServiceError('SERVICE_UNAVAILABLE')))

/**
 * Bounds what is worked at side by side on the routes of this scope, and what waits for that: what more
 * comes is told at once to come back, so that what was taken is answered in time. Not ban, close and
 * cancel, and not what takes long by its nature.
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

function isCounted({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.isUrgent !== true && config.isLong !== true
}
