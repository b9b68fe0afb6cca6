import { randomBytes } from 'node:crypto'
import apiReference from '@scalar/fastify-api-reference'
import packageJson from '../../../package.json' with { type: 'json' }
import type { App } from '../http/app-types.ts'
import type { Document } from './document.ts'
import { referenceMarkdown } from './reference-markdown.ts'

const ADDRESS = '/api/v1/openapi.json'
const REFERENCE = '/docs/reference'
/** Below the reference. The version makes it another address with each release of the library. */
const SCRIPT = `js/scalar.js?${packageJson.dependencies['@scalar/fastify-api-reference']}`

/** `GET /api/v1/openapi.json`, and for readers `/docs/reference`, with nothing fetched from outside. */
export async function openApiRoutes(app: App, document: () => Document): Promise<void> {
  let text: string | undefined
  app.get(ADDRESS, async (_request, reply) => {
    text ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  app.get(`${REFERENCE}.md`, async (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').send(referenceMarkdown(document())),
  )

  // The page takes no input, so one nonce for the life of the process is as good as one a request.
  const nonce = randomBytes(16).toString('base64')
  await app.register(apiReference, {
    routePrefix: REFERENCE,
    configuration: {
      url: ADDRESS,
      cdn: SCRIPT,
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
      onRequest: ({ url }, reply, done) => {
        void reply.header('content-security-policy', policyOf(nonce))
        // While processes of two releases run, another version may be requested.
        if (url === `${REFERENCE}/${SCRIPT}`)
          void reply.header('cache-control', 'public, max-age=31536000, immutable')
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
