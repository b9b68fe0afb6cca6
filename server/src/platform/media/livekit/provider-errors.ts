import { MediaError } from '../../ports/media.ts'
import { ProviderRefusal } from './provider-client.ts'

/** Undefined if the media room or the person does not exist (any more). */
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

/** Takes an egress that has ended as done. False if the provider has never heard of it. */
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

/** Converts any failure of a call (refusal, timeout, malformed answer) to our own error. */
export async function asMediaError<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const isUnauthorized =
      error instanceof ProviderRefusal && (error.status === 401 || error.status === 403)
    // Not kept as the cause: nothing that the provider said may reach the log.
    const hasNoEffect = isWithoutEffect(error)
    throw new MediaError(`could not ${what}: ${reasonOf(error)}`, { isUnauthorized, hasNoEffect })
  }
}

/** The code of a refusal, or the code or name of a failed connection; no other text. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof ProviderRefusal) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

/** Codes with which the provider itself does not know the result of the call. */
const UNCERTAIN_CODES: ReadonlySet<string> = new Set([
  'aborted',
  'canceled',
  'deadline_exceeded',
  'internal',
  'unknown',
])

/** The call was refused, or nobody accepted the connection. After a timeout the call may still take effect. */
function isWithoutEffect(error: unknown): boolean {
  if (error instanceof ProviderRefusal) {
    const { code, status } = error
    // An answer without a code comes from something between us and the provider.
    return code === undefined ? status < 500 && status !== 408 : !UNCERTAIN_CODES.has(code)
  }
  return neverConnected(error)
}

/** Checks the errors for all addresses of a name, or the only error. */
function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => neverConnected(each))
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo'
}

/** A 404 of the provider itself. A missing address is a 404 too, but has another code. */
function isRefused(error: unknown, code: 'not_found' | 'failed_precondition'): boolean {
  return error instanceof ProviderRefusal && error.code === code
}
