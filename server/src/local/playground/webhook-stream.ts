import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { LoggedWebhook, WebhookLog } from './webhook-log.ts'

const HEARTBEAT_MS = 15_000

/** Server-sent events: everything in the log, then each new webhook. */
export function webhookStream(app: FastifyInstance, path: string, webhooks: WebhookLog): void {
  const open = new Set<ServerResponse>()
  // An endless answer would keep the server from closing.
  app.addHook('preClose', async () => {
    for (const response of open) response.end()
  })

  app.get(path, { exposeHeadRoute: false }, (request, reply) => {
    reply.hijack()
    const response = reply.raw
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const send = (webhook: LoggedWebhook) =>
      response.write(`event: webhook\ndata: ${JSON.stringify(webhook)}\n\n`)
    response.write(': open\n\n')
    for (const webhook of webhooks.entries()) send(webhook)

    open.add(response)
    const unfollow = webhooks.follow(send)
    const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS)
    request.raw.once('close', () => {
      open.delete(response)
      unfollow()
      clearInterval(heartbeat)
    })
  })
}
