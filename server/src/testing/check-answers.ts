import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterEach } from 'vitest'
import { judgeAnswer } from './answer-oracle.ts'

/**
 * Judges every answer of every server that a test starts by the published description, and fails the
 * test that got one which is not in it.
 */
declare global {
  var wrongAnswers: string[] | undefined
}

// Files share a process: one subscription for all of them.
if (globalThis.wrongAnswers === undefined) {
  const wrong: string[] = []
  globalThis.wrongAnswers = wrong
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onSend', async (request, reply, payload) => {
      if (typeof payload === 'string' || payload === null || payload === undefined) {
        const { method, routeOptions } = request
        const headers = reply.getHeaders()
        const { statusCode: status } = reply
        const body = payload ?? ''
        const problem = judgeAnswer({ method, route: routeOptions.url, status, headers, body })
        if (problem !== undefined) {
          wrong.push(`${method} ${routeOptions.url ?? request.url} ${status}: ${problem}`)
        }
      }
      return payload
    })
  })
}

afterEach(() => {
  const wrong = globalThis.wrongAnswers?.splice(0) ?? []
  if (wrong.length === 0) return
  throw new Error(`answers that are not as docs/openapi.json describes them:\n${wrong.join('\n')}`)
})
