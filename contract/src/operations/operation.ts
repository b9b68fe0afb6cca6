import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Capabilities } from '../capabilities.ts'
import type { ErrorCode } from '../errors.ts'
import type { ApiKeyScope } from '../management.ts'
import type { ViewerAbility } from '../reviews.ts'
import type { Tag } from './tags.ts'

/**
 * Whom an operation is for: the server of a tenant, the page of a room or of a connection test, the board, viewers of a
 * recording, anybody.
 */
export type Plane = 'control' | 'room' | 'board' | 'review' | 'public'

/** One operation of the API: its route, its description, its client and its tests follow from it. */
export interface Operation {
  /** Name of the operation in generated clients; unique. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Under `/api/v1`, as OpenAPI writes it: `/rooms/{room_id}`. */
  path: string
  plane: Plane
  tag: Tag
  /** What it does, as a verb and an object. */
  summary: string
  /** When to use it, what happens next, and what it does not do. */
  description: string

  /** What the API key must allow on the control plane; `control` unless it says otherwise. */
  scope?: ApiKeyScope
  /** What opens an operation of the room plane; a room ticket unless it says otherwise. */
  credential?: 'ticket' | 'ticket or token' | 'token or body' | 'test ticket'
  /**
   * What a viewer token must allow: on the review plane, where nothing else is a credential, and on the control plane,
   * where it may stand in place of an API key. The recording is in the path.
   */
  viewerMay?: ViewerAbility
  /** What the role of the ticket's holder must allow. */
  ability?: keyof Capabilities
  /** Asks whether the holder may still be inside in its own transaction, and so not before. */
  checksAdmissionItself?: true

  params?: TObject
  query?: TObject
  /** The body as it is checked; null stands for a body that may be absent. */
  body?: TSchema
  /** The body as it is described, where the schema that checks it is hard to read. */
  describedBody?: TSchema
  /** Parts of a multipart body. */
  form?: TObject
  /** What a success answers with, by status: `data` of the envelope unless it says otherwise. */
  answers: Readonly<Record<number, TSchema | PlainAnswer | StreamAnswer>>
  /** Refusals of its own. Those that every operation of its plane gives are added. */
  refusals?: readonly ErrorCode[]

  /** Takes an Idempotency-Key. */
  isKeyed?: true
  /** Waits neither for others nor for their connections: ban, close and cancel. */
  isUrgent?: true
  /** How long it takes is up to the caller: it is not counted among the requests that are worked at. */
  isLong?: true
  /** A HEAD would leave rows in the access log for URLs that no one receives, or wait for the end of a stream. */
  hasNoHead?: true
  /** A stream that continues after the `Last-Event-ID` of the request. */
  isResumable?: true
  /** Answers with the address of what it made. */
  hasLocation?: true
  /** What follows from it is announced by webhooks. */
  causesWebhooks?: true
  /** Answers with `Deprecation`, `Sunset` and `Link` for deprecated engines. */
  mayDeprecate?: true

  /**
   * The body that is sent, or the parts of a form, the file by its name; and `data` of the answer, of
   * an answer without an envelope all of it.
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

/** Server-sent events: the data of each, by name. */
export interface StreamAnswer<E = Readonly<Record<string, TSchema>>> {
  events: E
}

/** Declares an operation; its types are those of its schemas. */
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

/** What stands where a schema was declared, and `Otherwise` where none was. */
type Part<O, Name extends string, Otherwise> =
  O extends Record<Name, infer S> ? StaticOf<S> : Otherwise

type None = Readonly<Record<string, never>>

export type ParamsOf<O> = Part<O, 'params', None>
export type QueryOf<O> = Part<O, 'query', None>
export type BodyOf<O> = Part<O, 'body', undefined>

/** What a success returns: `data`, a whole answer without an envelope, or nothing. */
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
