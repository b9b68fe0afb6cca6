import { FilePathSource, Input, MATROSKA, MP4, QTFF, UrlSource, WEBM } from 'mediabunny'
import { type ObjectLocation, StorageError } from '../ports/storage.ts'
import { diskFullOr, isOfSystem, MediaFileError } from './media-file-error.ts'

const DEADLINE_MS = 120_000

export interface Reading {
  signal?: AbortSignal | undefined
  /** Two minutes when not given. */
  deadlineMs?: number
}
const FORMATS = [MP4, QTFF, WEBM, MATROSKA]
const QUIET = { handleUnhandledError: () => {} }

/**
 * Lets `read` examine a media file. Throws `MediaFileError` with `unreadable` for any other file,
 * `StorageError` when it cannot be fetched or the system does not give it, the signal's reason when aborted.
 */
export async function readMedia<T>(
  location: ObjectLocation,
  read: (input: Input) => Promise<T>,
  { signal, deadlineMs = DEADLINE_MS }: Reading = {},
): Promise<T> {
  signal?.throwIfAborted()
  const fetching = { hasFailed: false }
  const input = new Input({ source: sourceOf(location, fetching), formats: FORMATS })
  const timedOut = AbortSignal.timeout(Math.ceil(deadlineMs))
  const dispose = () => input.dispose()
  const endings = signal === undefined ? [timedOut] : [signal, timedOut]
  for (const ending of endings) ending.addEventListener('abort', dispose)
  try {
    return await read(input)
  } catch (given) {
    signal?.throwIfAborted()
    const error = diskFullOr(given)
    if (error instanceof MediaFileError && error.problem === 'disk_full') throw error
    // Before anything that seems to be wrong with the file. Its own words hold addresses and paths.
    if (timedOut.aborted || fetching.hasFailed || isOfSystem(error)) {
      throw new StorageError('a media file cannot be fetched from the storage')
    }
    if (error instanceof MediaFileError) throw error
    throw new MediaFileError('unreadable', 'the file is no video that can be read')
  } finally {
    for (const ending of endings) ending.removeEventListener('abort', dispose)
    dispose()
  }
}

function sourceOf(location: ObjectLocation, fetching: { hasFailed: boolean }) {
  if (location.kind === 'path') return new FilePathSource(location.path, QUIET)
  return new UrlSource(location.url, {
    ...QUIET,
    // The caller tries again; this is where failures are reported.
    getRetryDelay() {
      fetching.hasFailed = true
      return null
    },
    async fetchFn(address, init) {
      const answer = await fetch(address, init)
      fetching.hasFailed ||= !answer.ok
      return answer
    },
  })
}
