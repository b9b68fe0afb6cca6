import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Release } from '../../platform/lib/fair-queue.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { App } from './app-types.ts'
import { clientAddressOf } from './client-address.ts'
import { toEnvelope } from './errors.ts'
import type { Load, LoadCaller } from './load.ts'

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
    if (config.isCounted !== true || !load.isFullFor(callerOf(load, request))) return next()
    count += 1
    logTimer ??= setTimeout(logRefused, LOG_EVERY_MS).unref()
    request.isTurnedAway = true
    void reply.code(503).headers(answer).header('x-request-id', request.id).send(REFUSAL_BODY)
    return undefined
  })
}

/**
 * Bounds the requests that run side by side on the routes of this scope, and the waiting ones, so that accepted requests are
 * answered in time. A request holds a place of its tenant; ban, close, cancel and requests that take long by their nature
 * hold none. A credential that was not seen before is verified in a place for strangers, so that a flood of wrong ones takes
 * nothing from the callers that are known.
 *
 * @param addChecks adds the hooks (`onRequest`) that verify the credential.
 */
export function limitLoad(app: App, load: Load, addChecks: () => void): void {
  const places = new WeakMap<FastifyRequest, Release>()

  async function take(request: FastifyRequest, reply: FastifyReply, caller: LoadCaller) {
    const release = await load.begin(caller)
    if (release === undefined) return refuse(request, reply)
    places.set(request, release)
    return undefined
  }

  function leave(request: FastifyRequest): void {
    places.get(request)?.()
    places.delete(request)
  }

  app.addHook('onRoute', (route) => {
    const { isUrgent, isLong } = route.config ?? {}
    route.config = { ...route.config, isCounted: isUrgent !== true && isLong !== true }
  })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(load, request)
    return caller.isKnown ? undefined : take(request, reply, caller)
  })
  addChecks()
  app.addHook('onRequest', async (request: FastifyRequest) => {
    // Only a stranger holds a place by now; a known caller needs no other name.
    if (!places.has(request)) return
    leave(request)
    const { authorization } = request.headers
    const name = verifiedNameOf(request)
    if (authorization !== undefined && name !== undefined) load.remember(authorization, name)
  })
  // Counted after the body has arrived, so that a slow body keeps nobody from being served.
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.config.isCounted !== true) return undefined
    return take(request, reply, callerOf(load, request))
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload) => {
    leave(request)
    return payload
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.errorCode = 'SERVICE_UNAVAILABLE'
  return reply.code(503).headers(REFUSAL_HEADERS).send(REFUSAL_BODY)
}

function callerOf(load: Load, request: FastifyRequest): LoadCaller {
  return load.callerOf(request.headers.authorization, clientAddressOf(request) ?? '')
}

/** A tenant's backend, its viewers and the people in its rooms have a share each. */
function verifiedNameOf({ tenantId, viewer, credential, connectionTest }: FastifyRequest) {
  if (viewer !== null) return `viewers ${viewer.tenantId}`
  if (tenantId !== '') return tenantId
  if (credential?.kind === 'ticket') return `people ${credential.holder.tenantId}`
  if (credential?.kind === 'token') return `people ${credential.claims.tenantId}`
  return connectionTest === null ? undefined : `people ${connectionTest.tenantId}`
}
