import type { ErrorCode, ErrorDetail, ErrorEnvelope } from '@interview-room/contract/errors.ts'

const TIMEOUT_MS = 15_000

/** `OFFLINE`: no answer, or one that is not the service's. */
export type LiveAnswer<T> =
  | { ok: true; data: T }
  | { ok: false; code: ErrorCode | 'OFFLINE'; details: readonly ErrorDetail[] }

/** Asks the participant plane of this room; `path` is what follows `/live`. Throws nothing. */
export type LiveRequest = <T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
) => Promise<LiveAnswer<T>>

export function createLiveRequest(base: string, ticket: () => string): LiveRequest {
  return async <T>(method: string, path: string, body?: object) => {
    try {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ticket()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (answer.status === 204) return { ok: true, data: undefined as T }
      const said = (await answer.json()) as { success: true; data: T } | ErrorEnvelope
      if (said.success) return { ok: true, data: said.data }
      return { ok: false, code: said.error.code, details: said.error.details ?? [] }
    } catch {
      return { ok: false, code: 'OFFLINE', details: [] }
    }
  }
}
