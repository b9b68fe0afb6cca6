import { Readable } from 'node:stream'

/** A stream on its way into the storage. */
export interface Source {
  body: Readable
  sizeBytes: number
  /** What broke it, apart from what the storage did. */
  brokenBy: { error: unknown } | undefined
}

/**
 * Tells a stream that broke from a storage that failed, and counts. An error that comes before
 * anybody reads is kept until then; without a listener it would end the process.
 */
export function watchSource(given: Readable): Source {
  given.on('error', () => {})
  const source: Source = { body: Readable.from(chunks()), sizeBytes: 0, brokenBy: undefined }

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of given as AsyncIterable<Buffer | string>) {
        const bytes = Buffer.from(chunk as Buffer)
        source.sizeBytes += bytes.length
        yield bytes
      }
    } catch (error) {
      source.brokenBy = { error }
      throw error
    }
  }
  return source
}
