import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTurns, personOf, type Release } from '../live/in-flight.ts'
import { isTicket, type Tickets } from '../live/ticket.ts'
import type { App } from './app-types.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Ban, close and cancel: they wait neither for others nor for their connections. */
    isUrgent?: boolean
  }
}

/** Gives each ticket holder's writes their turns, on every route of this scope but the urgent ones. */
export function limitTicketHolders(app: App, tickets: Tickets): void {
  const takeTurn = createTurns()
  const turns = new WeakMap<FastifyRequest, Release>()

  app.addHook('preHandler', async (request: FastifyRequest) => {
    const { headers, method, params, routeOptions } = request
    const roomId = (params as { room_id?: string }).room_id
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead || roomId === undefined || routeOptions.config.isUrgent === true) return
    // The simple route comes with its credential in the body.
    const { authorization } = headers
    if (authorization === undefined || !isTicket(authorization)) return
    const holder = await tickets.verify(authorization, roomId)
    turns.set(request, await takeTurn(personOf(holder)))
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload) => {
    turns.get(request)?.()
    turns.delete(request)
    return payload
  })
}
