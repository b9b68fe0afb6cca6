import type { API } from '@interview-room/contract/operations.ts'
import type {
  BodyOf,
  DataOf,
  Operation,
  StatusOf,
} from '@interview-room/contract/operations/operation.ts'
import { callService, type Refused } from './send-request.ts'

export type LiveAnswer<T> = { ok: true; data: T } | Refused

/** The id of an API operation that pages call. */
export type OperationId = keyof typeof API

/** A path such as `/handouts/{handout_id}/show` with any text in place of each parameter. */
export type Written<Path> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Written<After>}`
  : Path

/** The part of the path after the room, the connection test or the board. */
type Rest<Path> = Path extends `/board${infer After}`
  ? After
  : Path extends `${string}/live${infer After}`
    ? After
    : never

export type PathOf<Id extends OperationId> = (typeof API)[Id] extends { path: infer Path }
  ?
      | Written<Rest<Path>>
      | ((typeof API)[Id] extends { query: unknown }
          ? `${Written<Rest<Path>> & string}?${string}`
          : never)
  : never

/** The arguments after the path: none, a form with its abort signal, or a body. */
export type BodyArgument<Id extends OperationId> = (typeof API)[Id] extends { form: unknown }
  ? [form: FormData, cancelled?: AbortSignal | undefined]
  : [BodyOf<(typeof API)[Id]>] extends [undefined]
    ? []
    : null extends BodyOf<(typeof API)[Id]>
      ? [body?: NonNullable<BodyOf<(typeof API)[Id]>>]
      : [body: BodyOf<(typeof API)[Id]>]

type DataAt<O extends Operation> = DataOf<O['answers'][StatusOf<O>]>

/**
 * Calls one operation, whose id is the type argument. Its method, its path after the base, its body and its answer
 * are the ones that the contract declares. Never throws; a cancelled request is `OFFLINE`, too.
 */
export type LiveRequest = <Id extends OperationId>(
  method: (typeof API)[Id]['method'],
  path: PathOf<Id>,
  ...body: BodyArgument<Id>
) => Promise<LiveAnswer<DataAt<(typeof API)[Id]>>>

export function createLiveRequest(base: string, ticket: () => string): LiveRequest {
  return async (method: string, path: string, ...[body, cancelled]: readonly unknown[]) =>
    callService(`${base}${path}`, {
      method,
      authorization: `Bearer ${ticket()}`,
      body,
      ...(cancelled instanceof AbortSignal && { signal: cancelled }),
    })
}
