import { StorageError } from '../ports/storage.ts'

/** The message of a file system error contains the path, hence the key: only its code is passed on. */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StorageError(`folder storage: ${what} failed: ${codeOf(error) ?? 'unknown'}`)
  }
}

export function undefinedWhenGone(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}
