import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { NodeHttpHandler } from '@smithy/node-http-handler'
import { withoutSilence } from '../without-silence.ts'

type Handle = NodeHttpHandler['handle']
type Handler = Exclude<NonNullable<S3ClientConfig['requestHandler']>, NodeHttpHandlerOptions>
type NodeHttpHandlerOptions = ConstructorParameters<typeof NodeHttpHandler>[0]

export interface Bounds {
  /** Time to the answer of a small request. The SDK tries twice. */
  smallAnswer: number
  /** Longest silence of a storage that has received everything. */
  silence: number
  /** From the start of any request to its answer. */
  partAnswer: number
}

/** A storage that receives data more slowly counts as dead, unless it finishes in time. */
const SLOWEST_BYTES_PER_SEC = 64 * 1024

/**
 * For requests that somebody waits for. What a storage has taken shows only in its answer, because the
 * system holds some MiB in between: so what is sent has its size in time, and silence beyond that ends it.
 * What was sent is not sent again: twice the time would be too long.
 */
export function boundedHandler(inner: NodeHttpHandler, bounds: Bounds): Handler {
  const handle: Handle = async (request, options = {}) => {
    const size = sizeOf(request.body)
    const answerMs = bounds.silence + Math.ceil((size / SLOWEST_BYTES_PER_SEC) * 1000)
    const requestTimeout = size === 0 ? bounds.smallAnswer : Math.min(answerMs, bounds.partAnswer)
    try {
      const { response } = await inner.handle(request, { ...options, requestTimeout })
      // Its head has come; that its body does not is silence, too.
      const body: unknown = response.body
      if (body instanceof Readable) response.body = withoutSilence(body, bounds.silence)
      return { response }
    } catch (error) {
      throw size > 0 && isTimeout(error) ? silent() : error
    }
  }
  return {
    handle,
    metadata: inner.metadata,
    destroy: () => inner.destroy(),
    updateHttpClientConfig: (key, value) => inner.updateHttpClientConfig(key, value),
    httpHandlerConfigs: () => inner.httpHandlerConfigs(),
  }
}

function sizeOf(body: unknown): number {
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0
}

/** Has a name that the SDK does not know, so that the SDK does not retry. */
function silent(): Error {
  return Object.assign(new Error('the storage is silent'), { name: 'StorageSilent' })
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
