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
import type { Share } from '../../domain/recording/reviews/share.ts'
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
    /** All registered routes, in the order of their registration. */
    routes: readonly RegisteredRoute[]
  }
  interface FastifyContextConfig {
    /** The contract's declaration of this route; absent outside of the API. */
    operation?: Operation
    /** Set for ban, close and cancel: they wait neither for other requests nor for their connections. */
    isUrgent?: boolean
  }
}

/** A request for an operation: its parts as declared, and the verified caller. */
export type Call<O extends Operation> = FastifyRequest<{
  Params: ParamsOf<O>
  Querystring: QueryOf<O>
  Body: BodyOf<O>
}> &
  CallerOf<O>

/** The caller, as the hook of the plane has verified it. */
type CallerOf<O extends Operation> = O extends { plane: 'board' }
  ? { boardHolder: BoardHolder }
  : O extends { plane: 'control'; viewerMay: string }
    ? unknown
    : O extends { plane: 'control' }
      ? { tenantLimits: TenantLimits }
      : O extends { takesShareLink: true }
        ? { share: Share }
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

/** The answer of an operation; nothing if it declares only a 204. */
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
  const { method, path, params, bodyMax }: Operation = operation
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(bodyMax && { bodyLimit: bodyMax.bytes }),
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
 * Refuses undeclared members also where none is declared: `keep` in the query of an operation that reads it in the body would be
 * ignored, and everything deleted. Public addresses accept anything that probes and caches add to them.
 */
function acceptedBy({ method, plane, query, body, form }: Operation) {
  const isStrict = plane !== 'public'
  const hasNoBody = isStrict && method !== 'GET' && form === undefined
  const querystring = query ?? (isStrict ? NONE : undefined)
  const accepted = body ?? (hasNoBody ? NO_BODY : undefined)
  return { ...(querystring && { querystring }), ...(accepted && { body: accepted }) }
}

/** The contract's declaration of the requested operation. Throws a defect elsewhere. */
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
