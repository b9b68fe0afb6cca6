import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'
import type { App } from './app-types.ts'

/** The best quality takes fifty times as long for a seventh less. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const ENCODERS = {
  br: async (text: string) => promisify(brotliCompress)(text, QUALITY),
  gzip: async (text: string) => promisify(gzip)(text),
}
type Encoding = keyof typeof ENCODERS
const ENCODINGS = Object.keys(ENCODERS) as Encoding[]

interface Known {
  etag: string
  encoded: Partial<Record<Encoding, Promise<Buffer>>>
}

/**
 * Compresses the answers of a scope's routes, and lets clients keep it if they ask each time whether it is current. The answer of a
 * route must not change while the process lives: each encoding is made once, for the first client that takes it.
 */
export function compressOnce(scope: App): void {
  const known = new Map<string, Known>()
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
  })
  scope.addHook('onSend', async ({ method, headers, routeOptions }, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload

    const { url = '' } = routeOptions
    const answer = known.get(url) ?? { etag: etagOf(payload), encoded: {} }
    known.set(url, answer)
    void reply.header('etag', answer.etag).header('vary', 'accept-encoding')
    const isCurrent = namesTag(headers['if-none-match'], answer.etag)
    if (isCurrent) void reply.code(304)
    if (isCurrent && method === 'GET') return null

    const encoding = negotiate(headers['accept-encoding'] ?? '', ENCODINGS)
    if (encoding === null) return payload
    void reply.header('content-encoding', encoding)
    return (answer.encoded[encoding] ??= ENCODERS[encoding](payload))
  })
}

/** Weak, because all encodings of an answer share it. */
function etagOf(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url')}"`
}

function namesTag(wanted: string | undefined, etag: string): boolean {
  const tags = wanted?.split(',').map((tag) => tag.trim()) ?? []
  return tags.some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag)
}
