import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type HttpListener, listenHttp } from './http-listener.ts'

export interface S3Inbox extends HttpListener {
  /** Bodies by path, such as `/bucket/key`. */
  objects: Map<string, Buffer>
  /** While true, it takes nothing: 503. */
  isDown: boolean
  /** While true, it refuses everybody: 403. */
  isClosed: boolean
  /** How often it was asked. */
  requests: number
}

/** Takes the PUTs of an S3 client for granted; it does not check who signed them. */
export async function startS3Inbox(): Promise<S3Inbox> {
  const objects = new Map<string, Buffer>()
  const listener = await listenHttp((request, response) => {
    void readObject(request).then((body) => {
      inbox.requests += 1
      const status = statusOf(inbox)
      if (status === 200) objects.set(new URL(request.url ?? '/', 'http://inbox').pathname, body)
      response.writeHead(status, { ETag: '"etag"' }).end()
    })
  })
  const inbox: S3Inbox = { ...listener, objects, isDown: false, isClosed: false, requests: 0 }
  return inbox
}

function statusOf({ isDown, isClosed }: S3Inbox): number {
  if (isDown) return 503
  return isClosed ? 403 : 200
}

async function readObject(request: IncomingMessage): Promise<Buffer> {
  const body = await buffer(request)
  const isChunked = request.headers['x-amz-content-sha256']?.includes('STREAMING') ?? false
  return isChunked ? withoutChunks(body) : body
}

/** Chunks of `<length in hex>[;…]\r\n<bytes>\r\n`, the last one empty. */
function withoutChunks(body: Buffer): Buffer {
  const parts: Buffer[] = []
  let offset = 0
  for (;;) {
    const end = body.indexOf('\r\n', offset)
    const length = Number.parseInt(body.toString('latin1', offset, end), 16)
    if (!(length > 0)) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + length))
    offset = end + 2 + length + 2
  }
}
