import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Server-sent events to one reader. */
export interface EventStream {
  /** Does nothing once the stream has ended, or the reader is gone. */
  write(frame: string | Buffer): void
  /** Ends behind what was written; a reader who does not take that in time is cut off. A repeat changes nothing. */
  end(): void
  cutOff(): void
  isOver(): boolean
  /** What was written and is still here. */
  waitingBytes(): number
  /** Once, when the connection is closed. */
  onClose(listener: () => void): void
}

/** For what was written before the end: a connection may hang, and would be kept with its stream. */
const REST_MS = 10_000

/** Begins an answer of server-sent events, with the headers of every answer. */
export function openEventStream(reply: FastifyReply): EventStream {
  const response = reply.hijack().raw
  response.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The connection ends with the stream: kept alive, it would hold up the end of the service.
    connection: 'close',
  })
  response.write(': open\n\n')
  // To write behind the end is an error that nobody hears, and so the end of the process.
  const isOver = () => response.writableEnded || response.destroyed

  return {
    write(frame) {
      if (!isOver()) response.write(frame)
    },
    end() {
      if (isOver()) return
      response.end()
      const timer = setTimeout(() => response.destroy(), REST_MS).unref()
      response.once('close', () => clearTimeout(timer))
    },
    cutOff: () => void response.destroy(),
    isOver,
    waitingBytes: () => response.writableLength,
    onClose: (listener) => void response.once('close', listener),
  }
}
