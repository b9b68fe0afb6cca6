import type { ErrorCode, ErrorDetail, ErrorEnvelope } from '@interview-room/contract/errors.ts'
import type { API } from '@interview-room/contract/operations.ts'
import type {
  BodyOf,
  DataOf,
  Operation,
  StatusOf,
} from '@interview-room/contract/operations/operation.ts'
import { withinTime } from './within-time.ts'

const TIMEOUT_MS = 15_000
/** A file of 300 MB on a slow line. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000

/** `OFFLINE`: no answer, or an answer from another server. */
export type LiveAnswer<T> =
  | { ok: true; data: T }
  | { ok: false; code: ErrorCode | 'OFFLINE'; details: readonly ErrorDetail[] }

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
  return async (method: string, path: string, ...[body, cancelled]: readonly unknown[]) => {
    // The browser sets the boundary of a form itself.
    const isJson = body !== undefined && !(body instanceof FormData)
    const timeoutMs = body instanceof FormData ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS
    try {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ticket()}`,
          ...(isJson ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined
          ? {}
          : { body: body instanceof FormData ? body : JSON.stringify(body) }),
        signal:
          cancelled instanceof AbortSignal
            ? withinTime(cancelled, timeoutMs)
            : AbortSignal.timeout(timeoutMs),
      })
      if (answer.status === 204) return { ok: true, data: null as never }
      const said = (await answer.json()) as { success: true; data: never } | ErrorEnvelope
      if (said.success) return { ok: true, data: said.data }
      return { ok: false, code: said.error.code, details: said.error.details ?? [] }
    } catch {
      return { ok: false, code: 'OFFLINE', details: [] }
    }
  }
}
