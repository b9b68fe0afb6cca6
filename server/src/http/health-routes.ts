import { HealthBody } from '@interview-room/contract/public.ts'
import type { FastifyReply } from 'fastify'
import type { App } from './app-types.ts'
import { type Health, liveness, type Readiness } from './health.ts'

const ANSWER = { content: { 'application/health+json': { schema: HealthBody } } }

/** `GET /health` and `GET /health/ready`, at the root and under /api/v1. */
export function healthRoutes(app: App, readiness: Readiness): void {
  for (const prefix of ['', '/api/v1']) {
    // Described once, under the API.
    const tags = prefix === '' ? {} : { tags: ['Public'] }
    app.get(
      `${prefix}/health`,
      { schema: { ...tags, response: { 200: ANSWER } } },
      async (_request, reply) => send(reply, liveness()),
    )
    app.get(
      `${prefix}/health/ready`,
      { schema: { ...tags, response: { 200: ANSWER, 503: ANSWER } } },
      async (_request, reply) => send(reply, await readiness()),
    )
  }
}

function send(reply: FastifyReply, health: Health): FastifyReply {
  return reply
    .code(health.status === 'fail' ? 503 : 200)
    .type('application/health+json')
    .serializer(JSON.stringify)
    .send(health)
}
