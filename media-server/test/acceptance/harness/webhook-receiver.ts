import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpListener, listenHttp } from './http-listener.ts'

/** One POST of the server under test, exactly as it arrived. */
export interface Delivery {
  receivedAtMs: number
  headers: Record<string, string>
  /** Header names as they were spelt on the wire. */
  headerNames: string[]
  body: string
  room: string
  event: string
  id: string
  answered: number
}

/**
 * Accepts webhooks on `POST /webhook` and shows what arrived on `GET /deliveries?room=`.
 * A room named `…answer-500-401-end-…` gets these statuses for its first deliveries, then 200.
 */
export async function startWebhookReceiver(port: number): Promise<HttpListener> {
  const deliveries: Delivery[] = []

  return listenHttp((request, response) => {
    if (request.method === 'GET') {
      const room = new URL(request.url ?? '/', 'http://receiver').searchParams.get('room')
      const body = JSON.stringify(deliveries.filter((delivery) => delivery.room === room))
      response.setHeader('Content-Type', 'application/json').end(body)
      return
    }
    accept(request, response, deliveries)
  }, port)
}

function accept(request: IncomingMessage, response: ServerResponse, deliveries: Delivery[]): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const parsed = JSON.parse(body) as {
      event?: string
      id?: string
      room?: { name?: string }
      egressInfo?: { roomName?: string }
    }
    // LiveKit names no room beside an egress.
    const room = parsed.room?.name ?? parsed.egressInfo?.roomName ?? ''
    const earlier = deliveries.filter((delivery) => delivery.room === room).length
    const answered = plannedAnswers(room)[earlier] ?? 200
    deliveries.push({
      receivedAtMs: Date.now(),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      headerNames: request.rawHeaders.filter((_, index) => index % 2 === 0),
      body,
      room,
      event: parsed.event ?? '',
      id: parsed.id ?? '',
      answered,
    })
    response.writeHead(answered).end()
  })
}

function plannedAnswers(room: string): number[] {
  const plan = /answer((?:-\d{3})+)-end-/.exec(room)?.[1] ?? ''
  return plan.split('-').filter(Boolean).map(Number)
}
