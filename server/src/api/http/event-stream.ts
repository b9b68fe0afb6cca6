import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Server-sent events to one reader. */
export interface EventStream {
  /** Does nothing once the stream has ended, or the reader is gone. */
  write(frame: string | Buffer): void
  /** Ends after everything written so far. A reader who does not take that in time is cut off. A repeat changes nothing. */
  end(): void
  cutOff(): void
  isOver(): boolean
  /** The bytes that were written but not yet sent. */
  waitingBytes(): number
  /** Once, when the connection is closed. */
  onClose(listener: () => void): void
}

/** Time to send what was written before the end. A connection that hangs would keep its stream forever. */
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
  // A write after the end is an error without a listener, which would end the process.
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
