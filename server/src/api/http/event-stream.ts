import type { ServerResponse } from 'node:http'

/** Begins an answer of server-sent events. */
export function openEventStream(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The connection ends with the stream: kept alive, it would hold up the end of the service.
    connection: 'close',
  })
  response.write(': open\n\n')
}
