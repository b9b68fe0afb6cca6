import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP/HTTP carries it in JSON. */
export interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string | number } }[]
  status: { code: number }
}

interface SentBody {
  resourceSpans: {
    resource: Pick<SentSpan, 'attributes'>
    scopeSpans: { spans: SentSpan[] }[]
  }[]
}

/** Accepts spans as a collector of OpenTelemetry does. */
export interface TestCollector {
  url: string
  /** Every span so far. */
  spans: SentSpan[]
  /** Every body so far, as it was sent. */
  bodies: string[]
  requests: { path: string; headers: IncomingHttpHeaders }[]
  /** The status of its answers. Undefined: it never answers. */
  status: number | undefined
  close(): Promise<void>
}

export async function startCollector(): Promise<TestCollector> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      take(collector, Buffer.concat(chunks).toString(), response)
      collector.requests.push({ path: request.url ?? '', headers: request.headers })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: TestCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    requests: [],
    status: 200,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

function take(collector: TestCollector, body: string, response: ServerResponse): void {
  const { resourceSpans } = JSON.parse(body) as SentBody
  collector.bodies.push(body)
  collector.spans.push(
    ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
  if (collector.status === undefined) return
  response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
}

/** The attributes of a span as an object. Numbers are text, as the protocol allows. */
export function attributesOf({ attributes }: Pick<SentSpan, 'attributes'>): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? String(value.intValue ?? '')]),
  )
}
