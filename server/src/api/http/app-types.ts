import type { FastifyInstance } from 'fastify'
import type { BoardHolder } from '../../domain/board/board-holder.ts'
import type { TestOfTicket } from '../../domain/connection-tests/verify-ticket.ts'
import type { Caller } from '../../domain/people/check-caller.ts'
import type { Credential } from '../../domain/people/credential.ts'
import type { TicketHolder } from '../../domain/people/ticket.ts'
import type { Share } from '../../domain/recording/reviews/share.ts'
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
    /** The limits of that tenant, set by the hook of the control plane; null outside of it. */
    tenantLimits: TenantLimits | null
    /** The credential of a request in the room plane; null outside of it. */
    credential: Credential | null
    /** The holder of the room ticket. Where admission is checked, this includes the room as it was at that moment. */
    holder: TicketHolder | null
    /** The caller, by a ticket or a participant token; null elsewhere. */
    caller: Caller | null
    /** The test whose ticket the request carries; null elsewhere. */
    connectionTest: TestOfTicket | null
    /** The holder of the board link that the request carries; null outside the board's plane. */
    boardHolder: BoardHolder | null
    /** The viewer whose token the request carries; null for other credentials. */
    viewer: Viewer | null
    /** The link that the request opens; null elsewhere. */
    share: Share | null
    /** Code of the refusal or failure that this request ended with, for the log line. */
    errorCode: string
    /** Template of a known address that was requested with another method; null elsewhere. */
    refusedUrl: string | null
  }
}

/** Adds to every request the fields that its plane's hook fills. */
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
    'share',
  ] as const
  for (const name of [...verified, 'tenantLimits'] as const) app.decorateRequest(name, null)
}
