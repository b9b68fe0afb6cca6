import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTurns, personOf, type Release } from '../../domain/people/in-flight.ts'
import type { App } from '../http/app-types.ts'

/** Gives each ticket holder's writes their turns, on every route of this scope but the urgent ones. */
export function limitTicketHolders(app: App): void {
  const takeTurn = createTurns()
  const turns = new WeakMap<FastifyRequest, Release>()

  app.addHook('preHandler', async (request: FastifyRequest) => {
    const { credential, method, routeOptions } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead || credential?.kind !== 'ticket' || routeOptions.config.isUrgent === true) return
    turns.set(request, await takeTurn(personOf(credential.holder)))
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload) => {
    turns.get(request)?.()
    turns.delete(request)
    return payload
  })
}
