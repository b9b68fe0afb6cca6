import { API } from '@interview-room/contract/operations.ts'
import type {
  BodyOf,
  DataOf,
  Operation,
  ParamsOf,
  Plane,
  QueryOf,
  StatusOf,
} from '@interview-room/contract/operations/operation.ts'
import { nullable } from '@interview-room/contract/schema.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { BoardHolder } from '../../domain/board/board-holder.ts'
import type { TestOfTicket } from '../../domain/connection-tests/verify-ticket.ts'
import type { Caller } from '../../domain/people/check-caller.ts'
import type { PresentParticipant } from '../../domain/people/require-holder.ts'
import type { TicketHolder } from '../../domain/people/ticket.ts'
import type { Viewer } from '../../domain/recording/reviews/viewer.ts'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import type { App } from './app-types.ts'

interface RegisteredRoute {
  methods: readonly string[]
  url: string
  /** Undefined outside of the API. */
  operation: Operation | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that stands, in the order of their registration. */
    routes: readonly RegisteredRoute[]
  }
  interface FastifyContextConfig {
    /** What the contract declares of this route; absent outside of the API. */
    operation?: Operation
    /** Ban, close and cancel: they wait neither for others nor for their connections. */
    isUrgent?: boolean
  }
}

/** A request of an operation: its parts as they are declared, and who was let through to it. */
export type Call<O extends Operation> = FastifyRequest<{
  Params: ParamsOf<O>
  Querystring: QueryOf<O>
  Body: BodyOf<O>
}> &
  CallerOf<O>

/** What the hook of the plane has verified. */
type CallerOf<O extends Operation> = O extends { plane: 'board' }
  ? { boardHolder: BoardHolder }
  : O extends { plane: 'control'; viewerMay: string }
    ? unknown
    : O extends { plane: 'control' }
      ? { tenantLimits: TenantLimits }
      : O extends { plane: 'review' }
        ? { viewer: Viewer }
        : O extends { plane: 'room' }
          ? RoomCallerOf<O>
          : unknown

type RoomCallerOf<O extends Operation> = O extends { credential: 'ticket or token' }
  ? { caller: Caller }
  : O extends { credential: 'test ticket' }
    ? { connectionTest: TestOfTicket }
    : O extends { credential: 'token or body' }
      ? unknown
      : { holder: O extends { checksAdmissionItself: true } ? TicketHolder : PresentParticipant }

/** What an operation answers: nothing where it declares a 204 alone. */
export type AnswerOf<O extends Operation> = [DataOfAny<O>] extends [null]
  ? void
  : { [S in StatusOf<O>]: Success<O, S> }[StatusOf<O>]

type DataOfAny<O extends Operation> = DataOf<O['answers'][StatusOf<O>]>

type Success<O extends Operation, S extends StatusOf<O>> = (IsOne<StatusOf<O>> extends true
  ? { status?: S }
  : { status: S }) &
  ([DataOf<O['answers'][S]>] extends [null]
    ? { data?: undefined }
    : { data: DataOf<O['answers'][S]> }) & { headers?: Record<string, string> }

type IsOne<T, Each = T> = Each extends unknown ? ([T] extends [Each] ? true : false) : never

const NONE = Type.Object({}, { additionalProperties: false })
const NO_BODY = nullable(NONE)

/** Puts an operation at its address, for a handler that sends the answer itself. */
export function route<const O extends Operation>(
  app: App,
  operation: O,
  handler: (call: Call<O>, reply: FastifyReply) => Promise<unknown>,
): void {
  const { method, path, params }: Operation = operation
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.hasNoHead && { exposeHeadRoute: false }),
    schema: { ...(params && { params }), ...acceptedBy(operation) },
    config: {
      operation,
      isUrgent: operation.isUrgent === true,
      isLong: operation.isLong === true,
    },
    // The schemas that the request has passed, and the hook of the plane, make it a call.
    handler: (request, reply) => handler(request as unknown as Call<O>, reply),
  })
}

/**
 * What is not declared is refused where none is declared, too: `keep` in the query of what reads it in the body would be
 * ignored, and everything deleted. Public addresses take what probes and caches add to them.
 */
function acceptedBy({ method, plane, query, body, form }: Operation) {
  const isStrict = plane !== 'public'
  const hasNoBody = isStrict && method !== 'GET' && form === undefined
  const querystring = query ?? (isStrict ? NONE : undefined)
  const accepted = body ?? (hasNoBody ? NO_BODY : undefined)
  return { ...(querystring && { querystring }), ...(accepted && { body: accepted }) }
}

/** What the contract declares of the operation that is asked for. Throws a defect elsewhere. */
export function declaredBy({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Operation {
  const { operation } = routeOptions.config
  if (operation === undefined) throw new Error('a route of a plane without a declaration')
  return operation
}

/** Notes every route; call it before any is registered. */
export function listRoutes(app: App): void {
  const routes: RegisteredRoute[] = []
  app.decorate('routes', routes)
  app.addHook('onRoute', ({ method, url, config }) => {
    routes.push({ methods: [method].flat(), url, operation: config?.operation })
  })
}

const LISTED: ReadonlySet<Operation> = new Set(Object.values(API))

/** Lets nothing into a scope but operations that are declared for its plane, and listed for clients and tests. */
export function admitOnly(app: App, plane: Plane): void {
  app.addHook('onRoute', ({ url, config }) => {
    const operation = config?.operation
    if (operation?.plane !== plane) {
      throw new Error(`${url} is not declared as an operation of the plane "${plane}"`)
    }
    if (!LISTED.has(operation)) {
      throw new Error(`${url} is declared in a file that contract/src/operations.ts does not list`)
    }
  })
}
