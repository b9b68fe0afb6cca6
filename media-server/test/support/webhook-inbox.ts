import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk'

export interface WebhookInbox {
  url: string
  events: WebhookEvent[]
  close(): void
}

/** A receiver that verifies what it gets and keeps it. */
export async function openWebhookInbox(apiKey: string, secret: string): Promise<WebhookInbox> {
  const verifier = new WebhookReceiver(apiKey, secret)
  const events: WebhookEvent[] = []
  const http = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const body = Buffer.concat(parts).toString()
      events.push(await verifier.receive(body, request.headers.authorization))
      response.writeHead(200).end()
    })().catch(() => response.writeHead(401).end())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, events, close: () => http.close() }
}
