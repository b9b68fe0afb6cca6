import { Readable } from 'node:stream'

/**
 * Hands a stream to `store` and counts its bytes. Distinguishes a broken stream from a failed
 * storage: what broke the stream is thrown as it is, whatever `store` makes of it. The stream is
 * used up or destroyed in any case.
 */
export async function storeStream(
  given: Readable,
  store: (body: Readable) => Promise<unknown>,
): Promise<{ sizeBytes: number }> {
  // It may break before anybody reads, which without a listener would end the process.
  given.on('error', () => {})
  let sizeBytes = 0
  let brokenBy: { error: unknown } | undefined
  // Then it is `store` that throws here.
  let isHandedOver = false

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of given as AsyncIterable<Buffer | string>) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        sizeBytes += bytes.length
        isHandedOver = true
        yield bytes
        isHandedOver = false
      }
    } catch (error) {
      if (!isHandedOver) brokenBy = { error }
      throw error
    }
  }

  try {
    await store(Readable.from(chunks()))
    return { sizeBytes }
  } catch (error) {
    // The error tells the source of the stream why it is no longer read.
    given.destroy(error as Error)
    throw brokenBy === undefined ? error : brokenBy.error
  }
}
