import type { TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'

/**
 * What the API description says of an operation beyond the schemas of its route. Examples are
 * checked against those schemas by a test.
 */
export interface Operation {
  /** Name of the operation in generated clients; unique. */
  id: string
  summary: string
  description?: string
  /** Refusals of its own. Those that every operation of its plane gives are added. */
  refusals?: readonly ErrorCode[]
  /** Of the participant plane: may also be called without a token. */
  isOpenToo?: true
  /** Takes an Idempotency-Key. */
  isKeyed?: true
  /** A stream that goes on behind the `Last-Event-ID` that is sent. */
  isResumable?: true
  /** Answers with the address of what it made. */
  hasLocation?: true
  /** Answers with `Deprecation`, `Sunset` and `Link` for deprecated engines. */
  mayDeprecate?: true
  /** Example of the body. */
  request?: unknown
  /** The body, where the schema that checks it is hard to read. */
  body?: TSchema
  /** Parts of a multipart body. */
  form?: TSchema
  /** Example of `data`; absent where there is no body. */
  answer?: unknown
  /** Example of an answer that is not enveloped. */
  plainAnswer?: unknown
}

/** By method and address, as OpenAPI writes it: `GET /rooms/{room_id}`. */
export type Operations = Readonly<Record<string, Operation>>

/** One page of a list that goes on. */
export function pageOf(item: unknown) {
  return { items: [item], next_cursor: null, has_more: false }
}
