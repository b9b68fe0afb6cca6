import { randomBytes } from 'node:crypto'
import apiReference from '@scalar/fastify-api-reference'
import type { App } from '../http/app-types.ts'
import type { Document } from './document.ts'
import { errorsPageRoute } from './errors-page.ts'

const ADDRESS = '/api/v1/openapi.json'

/** `GET /api/v1/openapi.json`, and for readers `/docs/reference` and `/docs/errors`, with nothing fetched from outside. */
export async function openApiRoutes(app: App, document: () => Document): Promise<void> {
  app.get(ADDRESS, async () => document())
  errorsPageRoute(app)

  // The page takes no input, so one nonce for the life of the process is as good as one a request.
  const nonce = randomBytes(16).toString('base64')
  await app.register(apiReference, {
    routePrefix: '/docs/reference',
    configuration: {
      url: ADDRESS,
      nonce,
      pageTitle: 'Interview Room Service API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest: (_request, reply, done) => {
        void reply.header('content-security-policy', policyOf(nonce))
        done()
      },
    },
  })
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The reference writes style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
