import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Begins an answer of server-sent events, with the headers of every answer. */
export function openEventStream(reply: FastifyReply): ServerResponse {
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
  return response
}
