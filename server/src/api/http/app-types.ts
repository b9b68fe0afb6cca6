import type { FastifyInstance } from 'fastify'
import type { BoardHolder } from '../../domain/board/board-holder.ts'
import type { TestOfTicket } from '../../domain/connection-tests/verify-ticket.ts'
import type { Caller } from '../../domain/people/check-caller.ts'
import type { Credential } from '../../domain/people/credential.ts'
import type { TicketHolder } from '../../domain/people/ticket.ts'
import type { Viewer } from '../../domain/recording/reviews/viewer.ts'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'

/** The server, or a scope of it. */
export type App = FastifyInstance

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the API key or the viewer token; empty outside of their planes. */
    tenantId: string
    /** The public part of that key; empty outside the control plane. */
    apiKeyId: string
    /** What holds for that tenant; null outside the control plane. */
    tenantLimits: TenantLimits | null
    /** What a request of a room came with; null outside of the room plane. */
    credential: Credential | null
    /** Whose ticket it is; where admission was checked, also the room at that moment. */
    holder: TicketHolder | null
    /** Who asks, by a ticket or a token; null elsewhere. */
    caller: Caller | null
    /** The test whose ticket the request carries; null elsewhere. */
    connectionTest: TestOfTicket | null
    /** Whose link the request carries; null outside the board's plane. */
    boardHolder: BoardHolder | null
    /** Whose viewer token the request carries; null where it carries something else. */
    viewer: Viewer | null
    /** Code of the refusal or failure that this request ended with, for the log line. */
    errorCode: string
    /** Template of a known address that was requested with another method; null elsewhere. */
    refusedUrl: string | null
  }
}

/** Gives every request the places for what its plane verifies. */
export function decorateRequests(app: App): void {
  app.decorateRequest('tenantId', '')
  app.decorateRequest('apiKeyId', '')
  const verified = [
    'credential',
    'holder',
    'caller',
    'connectionTest',
    'boardHolder',
    'viewer',
  ] as const
  for (const name of [...verified, 'tenantLimits'] as const) app.decorateRequest(name, null)
}
