import { createHash, timingSafeEqual } from 'node:crypto'
import type { Scrape } from '../../domain/monitoring/scrape.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { App } from '../http/app-types.ts'

/** True if the header carries `Bearer <token>`. Without a configured token, anybody may read. */
export function mayReadMetrics(authorization: string | undefined, token: string | undefined) {
  if (token === undefined) return true
  const given = authorization?.replace(/^Bearer +/i, '').trim() ?? ''
  return timingSafeEqual(digestOf(given), digestOf(token))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * `GET /metrics` on the port of the API, for operators whose scraper can reach no other one. The page
 * is of the whole installation, so it is there only where a token was set.
 */
export function metricsRoutes(app: App, scrape: Scrape, token: string): void {
  app.get('/metrics', async ({ headers }, reply) => {
    if (!mayReadMetrics(headers.authorization, token)) throw new ServiceError('UNAUTHORIZED')
    const { contentType, text } = await scrape()
    return reply.type(contentType).serializer(String).send(text)
  })
}
