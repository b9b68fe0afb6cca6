import type { FastifyRequest } from 'fastify'
import { createBoardEntryTokens } from '../../domain/board/board-entry-token.ts'
import { verifyTicket } from '../../domain/connection-tests/verify-ticket.ts'
import { checkCaller } from '../../domain/people/check-caller.ts'
import type { Credential } from '../../domain/people/credential.ts'
import {
  type ParticipantClaims,
  verifyParticipantToken,
} from '../../domain/people/participant-token.ts'
import { requireHolder } from '../../domain/people/require-holder.ts'
import { createTickets, isTicket } from '../../domain/people/ticket.ts'
import { type Deps, urgent } from '../../platform/ports/deps.ts'
import { bearerOf } from '../../platform/service-keys/signed-tokens.ts'
import type { App } from '../http/app-types.ts'
import { declaredBy } from '../http/route.ts'

/**
 * The hook of the room plane: verifies what each operation declares as its credential, once, before
 * the body is read. Throws 401 UNAUTHORIZED, of a participant token also 400 UNKNOWN_ROLE.
 */
export function verifyCredentials(app: App, deps: Deps): void {
  const tickets = createTickets(deps)
  const passes = createBoardEntryTokens(deps)

  async function byTicket(call: Call): Promise<Credential> {
    return { kind: 'ticket', holder: await tickets.verify(call.authorization, call.roomId) }
  }
  async function byToken(call: Call): Promise<Credential> {
    return { kind: 'token', claims: (await passes.claimsOf(call)) ?? (await claimsOf(deps, call)) }
  }

  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { authorization } = request.headers
    const { room_id: roomId = '', connection_test_id: testId = '' } = request.params as Ids
    const call = { authorization, roomId }
    switch (declaredBy(request).credential ?? 'ticket') {
      case 'ticket':
        request.credential = await byTicket(call)
        break
      case 'ticket or token':
        request.credential = await (isTicket(authorization) ? byTicket(call) : byToken(call))
        break
      case 'token or body':
        if (authorization !== undefined) request.credential = await byToken(call)
        break
      case 'test ticket':
        request.connectionTest = await verifyTicket(deps, testId, bearerOf(authorization))
        break
    }
  })
}

interface Ids {
  room_id?: string
  connection_test_id?: string
}

interface Call {
  authorization: string | undefined
  roomId: string
}

/**
 * Checks whether the verified person may be in the room now, and may do what the operation
 * declares as its ability. Comes last of all hooks: it is the first that waits for the database.
 */
export function requireAdmission(app: App, deps: Deps): void {
  app.addHook('preHandler', async (request: FastifyRequest) => {
    const operation = declaredBy(request)
    const { credential } = request
    if (operation.credential === 'ticket or token') {
      request.caller = await checkCaller(deps, request)
    } else if (credential?.kind === 'ticket') {
      request.holder = operation.checksAdmissionItself
        ? credential.holder
        : await requireHolder(operation.isUrgent ? urgent(deps) : deps, request, operation.ability)
    }
  })
}

/**
 * The verified participant token of an `Authorization` header. Throws 401 UNAUTHORIZED, 400
 * UNKNOWN_ROLE, 503 SERVICE_UNAVAILABLE if the tenant's own keys cannot be fetched.
 */
async function claimsOf(
  deps: Pick<Deps, 'clock' | 'config' | 'tokenKeys'>,
  { authorization, roomId }: { authorization: string | undefined; roomId: string },
): Promise<ParticipantClaims> {
  const { clock, config, tokenKeys } = deps
  return verifyParticipantToken({
    token: bearerOf(authorization),
    roomId,
    audience: config.publicUrl,
    leewaySec: config.tokenLeewaySec,
    now: clock(),
    findKey: (key) => tokenKeys.find(key),
  })
}
