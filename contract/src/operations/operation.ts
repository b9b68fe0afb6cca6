import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Capabilities } from '../capabilities.ts'
import type { ErrorCode } from '../errors.ts'
import type { ApiKeyScope } from '../management.ts'
import type { ViewerAbility } from '../reviews.ts'
import type { Tag } from './tags.ts'

/**
 * The callers of an operation: the server of a tenant, the page of a room or of a connection test, the board, viewers
 * of a recording, or anybody.
 */
export type Plane = 'control' | 'room' | 'board' | 'review' | 'public'

/** The size of the largest body, and the number of members of its objects and items of its arrays together. */
export interface BodyMax {
  bytes: number
  members: number
}

/** The largest body of an operation that declares no other. Texts of the API have at most 4,000 characters. */
export const BODY_MAX: BodyMax = { bytes: 64 * 1024, members: 1_000 }

/** One operation of the API. Its route, its description, its client and its tests follow from it. */
export interface Operation {
  /** Name of the operation in generated clients; unique. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under `/api/v1`, as OpenAPI writes it: `/rooms/{room_id}`. */
  path: string
  plane: Plane
  tag: Tag
  /** A verb and an object, such as `Create a room`. */
  summary: string
  /** When to use it, what happens next, and what it does not do. */
  description: string

  /** The scope that the API key needs on the control plane; `control` by default. */
  scope?: ApiKeyScope
  /** The credential of an operation of the room plane; a room ticket by default. */
  credential?: 'ticket' | 'ticket or token' | 'token or body' | 'test ticket'
  /**
   * The ability that a viewer token needs. On the review plane it is the only credential. On the control plane it can
   * replace an API key. The recording is in the path.
   */
  viewerMay?: ViewerAbility
  /** Takes the token of a link in place of a viewer token. */
  takesShareLink?: true
  /** The capability that the role of the ticket's holder needs. */
  ability?: keyof Capabilities
  /** Checks in its own transaction that the holder may still be inside, so it is not checked before. */
  checksAdmissionItself?: true

  params?: TObject
  query?: TObject
  /** The body as it is checked; null stands for a body that may be absent. */
  body?: TSchema
  /** The described body, if the schema that checks it is hard to read. */
  describedBody?: TSchema
  /** The largest body that it takes, if not `BODY_MAX`. */
  bodyMax?: BodyMax
  /** Parts of a multipart body. */
  form?: TObject
  /** The answers of a success, by status. Each is the `data` of the envelope unless it says otherwise. */
  answers: Readonly<Record<number, TSchema | PlainAnswer | StreamAnswer>>
  /** Its own refusals. The ones that every operation of its plane can return are added. */
  refusals?: readonly ErrorCode[]

  /** Takes an Idempotency-Key. */
  isKeyed?: true
  /** Ends or forbids something, so it must not fail for what it does not need: undeclared members are ignored. */
  makesSafe?: true
  /** Never waits for other requests or their connections: ban, close and cancel. */
  isUrgent?: true
  /** The caller decides how long it takes, so it does not count as a request in progress. */
  isLong?: true
  /** A HEAD would write access log rows for URLs that no one receives, or wait for the end of a stream. */
  hasNoHead?: true
  /** A stream that continues after the `Last-Event-ID` of the request. */
  isResumable?: true
  /** Answers with the ETag of what it returns. */
  hasEtag?: true
  /** Takes the ETag of what it changes as If-Match, and refuses a request without it. */
  needsMatch?: true
  /** Answers with the address of the created resource. */
  hasLocation?: true
  /** Webhooks announce its effects. */
  causesWebhooks?: true
  /** Answers with `Deprecation`, `Sunset` and `Link` for deprecated engines. */
  mayDeprecate?: true

  /**
   * The body that is sent, or the parts of a form with the file by its name; and the `data` of the answer, or the
   * whole answer if it has no envelope.
   */
  example?: {
    readonly request?: unknown
    readonly parts?: Readonly<Record<string, string | number | null>>
    readonly answer?: unknown
  }
}

/** An answer without the envelope. */
export interface PlainAnswer<S extends TSchema = TSchema> {
  mediaType: string
  schema: S
}

/** Server-sent events, with the data of each by name. */
export interface StreamAnswer<E = Readonly<Record<string, TSchema>>> {
  events: E
}

/** Declares an operation and infers its types from its schemas. */
export function operation<const O extends Operation>(declared: O): O {
  return declared
}

export function plain<S extends TSchema>(mediaType: string, schema: S): PlainAnswer<S> {
  return { mediaType, schema }
}

export function stream<E extends Readonly<Record<string, TSchema>>>(events: E): StreamAnswer<E> {
  return { events }
}

/** The answer of a 204. */
export const NOTHING = Type.Null()

type StaticOf<S> = S extends TSchema ? Static<S> : never

/** The static type of a declared schema, or `Otherwise` if none was declared. */
type Part<O, Name extends string, Otherwise> =
  O extends Record<Name, infer S> ? StaticOf<S> : Otherwise

type None = Readonly<Record<string, never>>

export type ParamsOf<O> = Part<O, 'params', None>
export type QueryOf<O> = Part<O, 'query', None>
export type BodyOf<O> = Part<O, 'body', undefined>

/** The value that the client returns: `data`, a whole answer without an envelope, or nothing. */
export type DataOf<A> =
  A extends PlainAnswer<infer S> ? Static<S> : A extends StreamAnswer ? never : StaticOf<A>

/** One event of a stream: its name, and its data. */
export type EventOf<E> = {
  [Name in keyof E]: {
    event: Name
    id: string | undefined
    data: StaticOf<E[Name]>
  }
}[keyof E]

export type StatusOf<O extends Operation> = keyof O['answers'] & number

/** One page of a list that continues. */
export function pageOf(item: unknown) {
  return { items: [item], next_cursor: null, has_more: false }
}
