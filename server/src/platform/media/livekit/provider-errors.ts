import { MediaError } from '../../ports/media.ts'
import { ProviderRefusal } from './provider-client.ts'

/** Undefined when the media room or the person is not there (any more). */
export async function goneIsDone<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
  return asMediaError(what, async () => {
    try {
      return await call()
    } catch (error) {
      if (isRefused(error, 'not_found')) return undefined
      throw error
    }
  })
}

/** Done when it has ended, or was never heard of; false then. */
export async function endedIsDone(what: string, call: () => Promise<unknown>): Promise<boolean> {
  const known = await goneIsDone(what, async () => {
    try {
      await call()
    } catch (error) {
      if (!isRefused(error, 'failed_precondition')) throw error
    }
    return true
  })
  return known ?? false
}

/** Converts any failure of a call (refusal, timeout, nonsense in the answer) to our own error. */
export async function asMediaError<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isUnauthorized =
      error instanceof ProviderRefusal && (error.status === 401 || error.status === 403)
    // Not as its cause: nothing that the provider said ends in the log.
    const hasNoEffect = isWithoutEffect(error)
    throw new MediaError(`could not ${what}: ${reasonOf(error)}`, { isUnauthorized, hasNoEffect })
  }
}

/** A refusal, or code or name of a failed connection; no other message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof ProviderRefusal) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

/** Of the provider: it does not know itself what became of the call. */
const UNCERTAIN_CODES: ReadonlySet<string> = new Set([
  'aborted',
  'canceled',
  'deadline_exceeded',
  'internal',
  'unknown',
])

/** It was refused, or nobody took the connection. After a time limit the call may still be carried out. */
function isWithoutEffect(error: unknown): boolean {
  if (error instanceof ProviderRefusal) {
    const { code, status } = error
    // Without a code it is the answer of something between us and the provider.
    return code === undefined ? status < 500 && status !== 408 : !UNCERTAIN_CODES.has(code)
  }
  return neverConnected(error)
}

/** One for each address of a name, or one. */
function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => neverConnected(each))
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo'
}

/** By the provider itself. An address that does not exist is a 404 too, but of another code. */
function isRefused(error: unknown, code: 'not_found' | 'failed_precondition'): boolean {
  return error instanceof ProviderRefusal && error.code === code
}
