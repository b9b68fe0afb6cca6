import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { App } from './app-types.ts'
import { isStream, templateOf } from './request-span.ts'

const REQUEST_ID = /^[\x21-\x7e]{1,64}$/

/** The caller's `X-Request-Id` where it is at most 64 visible ASCII characters, or one of ours. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/**
 * Logs and measures each request that reaches the router, and logs each whose address
 * cannot be read.
 */
export function logRequests(app: App, metrics: Metrics): void {
  app.decorateRequest('errorCode', '')
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.isTurnedAway) logRequest(request, reply)
    measureRequest(metrics, request, reply)
    done()
  })
}

/**
 * Logs only fields that can hold no secret and no person: the route's template instead of the address, and nothing of headers and
 * bodies.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: templateOf(request) ?? null,
      status: reply.statusCode,
      ...(request.traceparent && { traceparent: request.traceparent }),
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.tenantId && { tenant: request.tenantId }),
      ...(request.errorCode && { code: request.errorCode }),
    },
    'request',
  )
}

/** Measured by route template only: addresses that a caller makes up must not become series. */
function measureRequest(
  { requests }: Metrics,
  request: FastifyRequest,
  { statusCode, elapsedTime }: FastifyReply,
): void {
  // A stream lasts as long as a visit, which says nothing about the service.
  if (isStream(request)) return
  const route = templateOf(request) ?? 'none'
  requests.observe({ method: request.method, route, status: statusCode }, elapsedTime / 1000)
}
