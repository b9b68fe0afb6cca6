import type { WebhookEnvelope, WebhookType } from '@interview-room/contract/webhooks.ts'
import { Webhook } from 'standardwebhooks'

/** Any event that your endpoint may receive. `type` determines the type of `data`. */
export type WebhookEvent = { [T in WebhookType]: WebhookEnvelope<T> }[WebhookType]

/** The webhook is not from the service, was changed on its way, or is older than five minutes. Answer with 400. */
export class WebhookError extends Error {
  constructor(options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? `: ${options.cause.message}` : ''
    super(`the webhook is not signed by the secret of this endpoint${reason}`, options)
    this.name = 'WebhookError'
  }
}

export interface WebhookRequest {
  /** The body as it was received, before any parsing. */
  body: string | Uint8Array
  /** The headers of the request: an object, with names in any case, or `Headers`. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The secret of the endpoint: `whsec_...`. Pass both secrets while you rotate it. */
  secret: string | readonly string[]
}

/**
 * The specification asks for at least 24 bytes. Without this check `whsec_${undefined}` would be accepted as a
 * secret, and everybody could guess it.
 */
const SECRET = /^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Returns the event of a webhook with a valid signature (Standard Webhooks 1.0). Throws WebhookError otherwise, and
 * TypeError for a parsed body or a malformed secret. The same event may arrive more than once: `id` identifies it.
 * Ignore types that you do not know.
 */
export function verifyWebhook({ body, headers, secret }: WebhookRequest): WebhookEvent {
  const webhooks = [secret].flat().map(webhookOf)
  const text = textOf(body)
  const signed = Object.fromEntries(SIGNED.map((name) => [name, valueOf(headers, name)]))
  let cause: unknown
  for (const webhook of webhooks) {
    try {
      return webhook.verify(text, signed) as WebhookEvent
    } catch (error) {
      cause = error
    }
  }
  throw new WebhookError({ cause })
}

function webhookOf(secret: string): Webhook {
  if (!SECRET.test(secret)) {
    throw new TypeError('secret must be that of the endpoint: whsec_ and at least 32 characters')
  }
  return new Webhook(secret)
}

function textOf(body: WebhookRequest['body']): string {
  if (typeof body === 'string') return body
  if (ArrayBuffer.isView(body)) return new TextDecoder().decode(body)
  throw new TypeError('body must be the text or the bytes that were received, before any parsing')
}

function valueOf(headers: WebhookRequest['headers'], name: string): string {
  // Other implementations of fetch have their own Headers class.
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  const entry = Object.entries(headers).find(([each]) => each.toLowerCase() === name)
  return String(entry?.[1] ?? '')
}
