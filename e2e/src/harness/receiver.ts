import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'

export interface ReceivedWebhook {
  id: string
  type: string
  data: Record<string, unknown>
  isVerified: boolean
}

export interface Receiver {
  url: string
  received: ReceivedWebhook[]
  /** Set once the endpoint's secret is known. */
  secret: string
  down(): Promise<void>
  up(): Promise<void>
}

/** A tenant's webhook receiver that verifies with the public package, and can be taken down. */
export async function startReceiver(port: number): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  let server: Server | undefined

  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    secret: '',
    async down() {
      server?.closeAllConnections()
      server?.close()
      server = undefined
    },
    async up() {
      server = createServer((request, response) => {
        void readBody(request).then((body) => {
          received.push(judge(body, request, receiver.secret))
          response.writeHead(204).end()
        })
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
  await receiver.up()
  return receiver
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function judge(body: string, request: IncomingMessage, secret: string): ReceivedWebhook {
  const envelope = JSON.parse(body) as { id: string; type: string; data: Record<string, unknown> }
  return { ...envelope, isVerified: verifies(body, request, secret) }
}

function verifies(body: string, request: IncomingMessage, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': String(request.headers['webhook-id']),
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    })
    return true
  } catch {
    return false
  }
}
