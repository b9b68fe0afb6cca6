import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { StorageError } from '../ports/storage.ts'
import type { CopyJob } from './copy-packets.ts'
import { MediaFileError, type MediaFileProblem } from './media-file-error.ts'
import type { JoinJob, Part } from './parts.ts'

/** The sibling of this file, compiled or not. */
const PROGRAM = new URL(`copy-packets.worker${path.extname(import.meta.url)}`, import.meta.url)

/** The report of the thread at its end. */
export type CopyingEnd =
  | { problem: null }
  | { problem: MediaFileProblem | 'storage'; message: string }

/**
 * Concatenates the packets of parts of one kind; returns the path of the file. It runs in its own thread: an hour has two hundred
 * thousand packets, and requests want answers meanwhile. Throws `MediaFileError` (`unreadable` for a broken part, `failed` for
 * sound with gaps), `StorageError`, the signal's reason.
 */
export async function joinByCopying(joining: JoinJob, parts: readonly Part[]): Promise<string> {
  const { folder, deadlineMs, signal } = joining
  signal.throwIfAborted()
  const target = path.join(folder, 'copied.mp4')
  const workerData: CopyJob = { parts, target, deadlineMs }
  const thread = new Worker(PROGRAM, { workerData })
  const stop = () => void thread.terminate()
  signal.addEventListener('abort', stop)
  try {
    const end = await Promise.race([messageOf(thread), exitOf(thread)])
    signal.throwIfAborted()
    if (end.problem === null) return target
    if (end.problem === 'storage') throw new StorageError(end.message)
    throw new MediaFileError(end.problem, end.message)
  } finally {
    signal.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

async function messageOf(thread: Worker): Promise<CopyingEnd> {
  const [end] = (await once(thread, 'message')) as [CopyingEnd]
  return end
}

/** The thread ended without a report: it was stopped, or the program is broken. */
async function exitOf(thread: Worker): Promise<CopyingEnd> {
  await once(thread, 'exit')
  return { problem: 'failed', message: 'the copying ended early' }
}
