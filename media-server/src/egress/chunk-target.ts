import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Output } from './job.ts'
import { addressOf, clientFor } from './upload-to-s3.ts'

/** Target of a capture that is delivered chunk by chunk. */
export interface ChunkTarget {
  /** The name of the capture there. */
  name: string
  /** Stores a small object, or the same again; answers its address. */
  put(name: string, content: Buffer, signal: AbortSignal): Promise<string>
  close(): void
}

const CONTENT_TYPE = 'application/x-tar'
/** A chunk has seconds of media. */
const PUT_TIMEOUT_MS = 15_000

export function openChunkTarget(output: Output): ChunkTarget {
  return output.kind === 's3' ? openBucket(output) : openFolder(output.file)
}

function openBucket({ key, upload }: Extract<Output, { kind: 's3' }>): ChunkTarget {
  // The caller retries, and knows for how long.
  const client = clientFor(upload, { attemptsMax: 1, silentMs: PUT_TIMEOUT_MS })
  return {
    name: key,
    async put(name, content, signal) {
      const target = { Bucket: upload.bucket, Key: name }
      const command = new PutObjectCommand({ ...target, Body: content, ContentType: CONTENT_TYPE })
      const limit = AbortSignal.any([signal, AbortSignal.timeout(PUT_TIMEOUT_MS)])
      await client.send(command, { abortSignal: limit })
      return addressOf(upload, name)
    },
    close: () => client.destroy(),
  }
}

function openFolder(file: string): ChunkTarget {
  return {
    name: file,
    async put(name, content) {
      const temporary = path.join(path.dirname(name), `.${path.basename(name)}.new`)
      await mkdir(path.dirname(name), { recursive: true, mode: 0o700 })
      try {
        await writeFile(temporary, content, { mode: 0o600, flush: true })
        await rename(temporary, name)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      return name
    },
    close() {},
  }
}
