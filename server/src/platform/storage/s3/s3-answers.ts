import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageError } from '../../ports/storage.ts'

/**
 * The server's answers and the SDK's errors repeat keys, addresses and what was signed; none of it
 * may reach a log. So no cause: the name and the status have to do.
 */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StorageError(`S3: ${what} failed: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return nameOf(undefined)
  if (error instanceof S3ServiceException) {
    return `${nameOf(error.name)} (${error.$metadata.httpStatusCode ?? 'no status'})`
  }
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  return nameOf(code)
}

/** An error's code where it looks like one: it comes from outside. */
export function nameOf(code: string | undefined): string {
  return code !== undefined && /^\w{1,60}$/.test(code) ? code : 'unknown'
}

/** For HEAD. That a key may not be looked up (403) is no answer to whether it is there. */
export function isGone(error: unknown): boolean {
  return statusOf(error) === 404
}

/** The source of a copy is gone, or has another content by now. */
export function isOtherContent(error: unknown): boolean {
  if (error instanceof Error && error.name === 'NoSuchBucket') return false
  return statusOf(error) === 404 || statusOf(error) === 412
}

/** The server is there, whatever it says. */
export function isAnswer(error: unknown): boolean {
  return statusOf(error) !== undefined
}

export function undefinedWhen(isExpected: (error: unknown) => boolean) {
  return (error: unknown): undefined => {
    if (!isExpected(error)) throw error
    return undefined
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}
