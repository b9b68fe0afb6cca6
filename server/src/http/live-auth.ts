import type { FastifyRequest } from 'fastify'
import { createPasses } from '../board/pass.ts'
import { type Deps, urgent } from '../deps.ts'
import { claimsOf } from '../live/claims.ts'
import type { Credential } from '../live/credential.ts'
import { createTickets, isTicket } from '../live/ticket.ts'
import type { App } from './app-types.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of a room takes; a room ticket unless it says otherwise. */
    credential?: 'ticket' | 'ticket or token' | 'token or body'
  }
  interface FastifyRequest {
    /** Null outside the participant plane. */
    credential: Credential | null
  }
}

/**
 * The hook of the participant plane: verifies the credential of every route of a room, once, before
 * the body is read. Throws 401 UNAUTHORIZED, of a participant token also 400 UNKNOWN_ROLE.
 */
export function liveAuth(app: App, deps: Deps): void {
  const tickets = createTickets(urgent(deps))
  const passes = createPasses(deps)

  async function byTicket(call: Call): Promise<Credential> {
    return { kind: 'ticket', holder: await tickets.verify(call.authorization, call.roomId) }
  }
  async function byToken(call: Call): Promise<Credential> {
    return { kind: 'token', claims: (await passes.claimsOf(call)) ?? (await claimsOf(deps, call)) }
  }

  app.decorateRequest('credential', null)
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { headers, params, routeOptions } = request
    const roomId = (params as { room_id?: string }).room_id
    if (roomId === undefined) return
    const { authorization } = headers
    const call = { authorization, roomId }
    const { credential: wanted = 'ticket' } = routeOptions.config
    if (wanted === 'token or body' && authorization === undefined) return
    const isByTicket =
      wanted === 'ticket' || (wanted === 'ticket or token' && isTicket(authorization))
    request.credential = await (isByTicket ? byTicket(call) : byToken(call))
  })
}

interface Call {
  authorization: string | undefined
  roomId: string
}
