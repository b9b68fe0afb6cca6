import type { FastifyReply, FastifyRequest } from 'fastify'
import { runInContext, runInTrace, traceContext, traceparent } from '../../platform/lib/trace.ts'
import type { OpenSpan, Tracer } from '../../platform/ports/tracer.ts'
import type { App } from './app-types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log: the caller's `traceparent`, or that of the request's own span; empty without either. */
    traceparent: string
  }
}

/**
 * Makes each request a part of its caller's trace, with a span of its own where spans are collected. A stream has
 * none: it lasts as long as a visit.
 */
export function traceRequests(app: App, tracer: Tracer): void {
  app.decorateRequest('traceparent', '')
  app.addHook('onRequest', (request, reply, done) => {
    runInTrace(request.headers.traceparent, () => {
      const span = isStream(request) ? undefined : tracer.begin(describeRequest(request))
      if (span !== undefined) endWithAnswer(span, request, reply)
      runInContext(span?.context ?? null, () => {
        request.traceparent = traceparent() ?? traceContext() ?? ''
        done()
      })
    })
  })
}

/** The template of the address; undefined where none is known. */
export function templateOf({ routeOptions, refusedUrl }: FastifyRequest): string | undefined {
  return routeOptions.url ?? refusedUrl ?? undefined
}

/** True if the answer stays open as long as its reader does. */
export function isStream(request: FastifyRequest): boolean {
  return templateOf(request)?.endsWith('/stream') === true
}

function describeRequest(request: FastifyRequest) {
  const { method } = request
  const route = templateOf(request)
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
    },
  } as const
}

/** Also ends the span if the caller leaves before the answer, which then has no status. */
function endWithAnswer(span: OpenSpan, request: FastifyRequest, { raw }: FastifyReply): void {
  raw.once('close', () => {
    const { tenantId, errorCode } = request
    span.describe({
      ...(raw.headersSent && { 'http.response.status_code': raw.statusCode }),
      ...(tenantId && { 'interview_room.tenant.id': tenantId }),
      ...(errorCode && { 'interview_room.error.code': errorCode }),
    })
    if (raw.headersSent && raw.statusCode >= 500) span.fail(errorCode || String(raw.statusCode))
    span.end()
  })
}
