import { FilePathSource, Input, MATROSKA, MP4, QTFF, UrlSource, WEBM } from 'mediabunny'
import { type ObjectPlace, StorageError } from '../storage/storage.ts'
import { MediaFileError } from './media-file-error.ts'

const DEADLINE_MS = 120_000
/** Tries of a request that failed, a second apart. */
const TRIES_MAX = 3
const FORMATS = [MP4, QTFF, WEBM, MATROSKA]
const QUIET = { handleUnhandledError: () => {} }

/**
 * Lets `read` look into a media file. Throws `MediaFileError` with `unreadable` for what is none,
 * `StorageError` when it cannot be fetched, the signal's reason when aborted.
 */
export async function readMedia<T>(
  place: ObjectPlace,
  read: (input: Input) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted()
  const fetching = { hasFailed: false }
  const input = new Input({ source: sourceOf(place, fetching), formats: FORMATS })
  const timedOut = AbortSignal.timeout(DEADLINE_MS)
  const dispose = () => input.dispose()
  const endings = signal === undefined ? [timedOut] : [signal, timedOut]
  for (const ending of endings) ending.addEventListener('abort', dispose)
  try {
    return await read(input)
  } catch {
    signal?.throwIfAborted()
    // Its own words hold addresses and paths.
    if (timedOut.aborted || fetching.hasFailed) {
      throw new StorageError('a media file cannot be fetched from the storage')
    }
    throw new MediaFileError('unreadable', 'the file is no video that can be read')
  } finally {
    for (const ending of endings) ending.removeEventListener('abort', dispose)
    dispose()
  }
}

function sourceOf(place: ObjectPlace, fetching: { hasFailed: boolean }) {
  if (place.kind === 'path') return new FilePathSource(place.path, QUIET)
  return new UrlSource(place.url, {
    ...QUIET,
    getRetryDelay(failures) {
      fetching.hasFailed = failures + 1 >= TRIES_MAX
      return fetching.hasFailed ? null : 1
    },
    async fetchFn(address, init) {
      const answer = await fetch(address, init)
      fetching.hasFailed ||= !answer.ok
      return answer
    },
  })
}
