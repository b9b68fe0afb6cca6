import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTurns, personOf } from '../../domain/people/in-flight.ts'
import type { Release } from '../../platform/lib/fair-queue.ts'
import type { App } from '../http/app-types.ts'

/**
 * Gives each ticket holder's writes their turns, on every route of this scope but the urgent ones. Uploads have turns
 * of their own: while they last, the person still writes and controls the room.
 */
export function limitTicketHolders(app: App): void {
  const takeTurn = createTurns()
  const turns = new WeakMap<FastifyRequest, Release>()

  app.addHook('preHandler', async (request: FastifyRequest) => {
    const { credential, method, routeOptions } = request
    const isRead = method === 'GET' || method === 'HEAD'
    const { isUrgent, isLong } = routeOptions.config
    if (isRead || credential?.kind !== 'ticket' || isUrgent === true) return
    const person = personOf(credential.holder)
    turns.set(request, await takeTurn(isLong === true ? `${person} long` : person))
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload) => {
    turns.get(request)?.()
    turns.delete(request)
    return payload
  })
}
