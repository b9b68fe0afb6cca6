import { parentPort, workerData } from 'node:worker_threads'
import { StorageError } from '../ports/storage.ts'
import { type CopyJob, copyPackets } from './copy-packets.ts'
import type { CopyingEnd } from './join-by-copying.ts'
import { diskFullOr, MediaFileError } from './media-file-error.ts'

/** The thread of `joinByCopying`. */
const end = await copyPackets(workerData as CopyJob).then(
  (): CopyingEnd => ({ problem: null }),
  endBy,
)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(end)

/** Errors lose their class on the way to another thread. */
function endBy(thrown: unknown): CopyingEnd {
  const error = diskFullOr(thrown)
  if (error instanceof MediaFileError) return { problem: error.problem, message: error.message }
  if (error instanceof StorageError) return { problem: 'storage', message: error.message }
  return { problem: 'failed', message: 'the parts cannot be copied' }
}
