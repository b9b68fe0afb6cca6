import type { App } from '../http/app-types.ts'
import type { Document } from './document.ts'

/** `GET /api/v1/openapi.json`. */
export function openApiRoutes(app: App, document: () => Document): void {
  let text: string | undefined
  app.get('/api/v1/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
