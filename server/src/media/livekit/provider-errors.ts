import { MediaError } from '../media.ts'

/** Undefined when the media room or the person is not there (any more). */
export async function goneIsDone<T>(what: string, call: () => Promise<T>): Promise<T | undefined> {
  return asMediaError(what, async () => {
    try {
      return await call()
    } catch (error) {
      if (hasCode(error, 'not_found')) return undefined
      throw error
    }
  })
}

/** Whatever the client throws (refusal, timeout, nonsense in the answer), told as ours. */
export async function asMediaError<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    // Not as its cause: the provider's refusals quote the token, and errors end in the log.
    const isUnauthorized = statusOf(error) === 401 || statusOf(error) === 403
    throw new MediaError(`could not ${what}: ${reasonOf(error)}`, { isUnauthorized })
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as { status?: number }).status : undefined
}

/** Code and status of a refusal, code or name of a failed connection; never the message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, status } = error as { code?: string; status?: number }
  if (status !== undefined) return `${code ?? 'refused'} ${status}`
  const cause = error.cause as { code?: string } | undefined
  return cause?.code ?? error.name
}

/**
 * An error of the provider's own. An address that does not exist is a 404 too, but of another code.
 * The client reads the code only when the content type is plain `application/json`.
 */
function hasCode(error: unknown, code: 'not_found' | 'failed_precondition'): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return error.code === code
  const quoted = /^\s*\{\s*"code"\s*:\s*"(\w+)"/.exec(error.message)
  return quoted?.[1] === code
}

/** Done when it has ended, or was never heard of. */
export async function endedIsDone(what: string, call: () => Promise<unknown>): Promise<void> {
  await goneIsDone(what, async () => {
    try {
      await call()
    } catch (error) {
      if (!hasCode(error, 'failed_precondition')) throw error
    }
  })
}
