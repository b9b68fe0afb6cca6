import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

/** A document with a heading. Each paragraph begins with bold words. */
export interface DocxContent {
  title: string
  paragraphs: readonly { head: string; text: string }[]
}

/** The sibling of this file, compiled or not. */
const PROGRAM = new URL(`write-docx.worker${path.extname(import.meta.url)}`, import.meta.url)
/** Three times what the longest transcript takes. */
const MEMORY_MAX_MB = 1024

/** Writes a file for Word, in its own thread: a long transcript takes a second or two, and requests want answers meanwhile. */
export async function writeDocx(workerData: DocxContent): Promise<Buffer> {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MAX_MB }
  const thread = new Worker(PROGRAM, { workerData, resourceLimits })
  try {
    const [file] = (await once(thread, 'message')) as [Uint8Array]
    return Buffer.from(file)
  } finally {
    await thread.terminate()
  }
}
