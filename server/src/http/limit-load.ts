import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import type { App } from './app-types.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long it takes is up to the caller: it is not counted among the requests that are worked at. */
    isLong?: boolean
  }
}

const RETRY_AFTER_SEC = 2
/** What one tenant may have of it: whoever asks for too much leaves room for others. */
const SHARE_OF_ONE = 3 / 4

/** The requests that this process works at. */
export interface Load {
  /** One more; answers how to say that it is done. Throws 503 when there are enough. */
  begin(tenantId: string): () => void
  /** Throws 503 when there are enough, before anything was spent on one more. */
  check(): void
}

export function createLoad(runningMax: number): Load {
  const oneTenantMax = Math.max(1, Math.floor(runningMax * SHARE_OF_ONE))
  const byTenant = new Map<string, number>()
  let running = 0

  function check(): void {
    if (running >= runningMax) throw tooMuch()
  }

  return {
    check,
    begin(tenantId) {
      check()
      const theirs = byTenant.get(tenantId) ?? 0
      if (tenantId !== '' && theirs >= oneTenantMax) throw tooMuch()
      running += 1
      byTenant.set(tenantId, theirs + 1)
      return () => {
        running -= 1
        const left = (byTenant.get(tenantId) ?? 0) - 1
        if (left > 0) byTenant.set(tenantId, left)
        else byTenant.delete(tenantId)
      }
    },
  }
}

/**
 * Bounds what is worked at side by side on the routes of this scope: what more comes is told at once
 * to come back, so that what was taken is answered in time. Not ban, close and cancel, and not what takes long by its nature.
 */
export function limitLoad(app: App, load: Load): void {
  const ends = new WeakMap<FastifyRequest, () => void>()

  app.addHook('onRequest', async (request: FastifyRequest) => {
    if (isCounted(request)) load.check()
  })
  // Behind the body: one that comes slowly keeps nobody from being served.
  app.addHook('preHandler', async (request: FastifyRequest) => {
    if (isCounted(request)) ends.set(request, load.begin(request.tenantId))
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply, payload) => {
    ends.get(request)?.()
    ends.delete(request)
    return payload
  })
}

function isCounted({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.isUrgent !== true && config.isLong !== true
}

function tooMuch(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    headers: { 'retry-after': String(RETRY_AFTER_SEC) },
    note: 'too many requests at once',
  })
}
