import type { WebhookEnvelope, WebhookType } from '@interview-room/contract/webhooks.ts'
import { Webhook } from 'standardwebhooks'

/** Anything that your endpoint may receive: `type` says which, and so what `data` holds. */
export type WebhookEvent = { [T in WebhookType]: WebhookEnvelope<T> }[WebhookType]

/** Not from the service, changed on its way, or older than five minutes. Answer with 400. */
export class WebhookError extends Error {
  constructor(options?: ErrorOptions) {
    super('the webhook is not signed by the secret of this endpoint', options)
    this.name = 'WebhookError'
  }
}

export interface WebhookRequest {
  /** The body as it was received, before any parsing. */
  body: string | Uint8Array
  /** Of the request: an object as Node has it, or `Headers`. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** Of the endpoint: `whsec_...`. Two while you rotate it. */
  secret: string | readonly string[]
}

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * The event of a webhook whose signature is right (Standard Webhooks 1.0). Throws WebhookError otherwise. The
 * same event may arrive more than once: `id` identifies it. Ignore types that you do not know.
 */
export function verifyWebhook({ body, headers, secret }: WebhookRequest): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = Object.fromEntries(SIGNED.map((name) => [name, valueOf(headers, name)]))
  let cause: unknown
  for (const each of [secret].flat()) {
    try {
      return new Webhook(each).verify(text, signed) as WebhookEvent
    } catch (error) {
      cause = error
    }
  }
  throw new WebhookError({ cause })
}

function valueOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return String(value ?? '')
}
