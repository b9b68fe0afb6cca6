import { Webhook } from 'standardwebhooks'

/** A webhook as the playground's receiver got it. */
export interface LoggedWebhook {
  received_at: string
  verified: boolean
  id: string
  type: string
  body: unknown
}

export interface WebhookLog {
  entries(): readonly LoggedWebhook[]
  receive(body: string, headers: Record<string, string | string[] | undefined>): boolean
  /** Calls back at every new webhook until the answer is called. */
  follow(listener: (webhook: LoggedWebhook) => void): () => void
}

const KEPT_MAX = 200

/** The last webhooks, in memory: they are for looking at, the deliveries themselves are rows. */
export function createWebhookLog(secret: string, now: () => Date): WebhookLog {
  const kept: LoggedWebhook[] = []
  const listeners = new Set<(webhook: LoggedWebhook) => void>()
  const verifier = new Webhook(secret)

  function isVerified(body: string, headers: Record<string, string>): boolean {
    try {
      verifier.verify(body, headers)
      return true
    } catch {
      return false
    }
  }

  return {
    entries: () => kept,
    receive(body, headers) {
      const plain = Object.fromEntries(
        Object.entries(headers).filter(
          (header): header is [string, string] => typeof header[1] === 'string',
        ),
      )
      const verified = isVerified(body, plain)
      const parsed = parse(body)
      const webhook = {
        received_at: now().toISOString(),
        verified,
        id: textOf(parsed['id']),
        type: textOf(parsed['type']),
        body: parsed,
      }
      kept.push(webhook)
      if (kept.length > KEPT_MAX) kept.shift()
      for (const listener of listeners) listener(webhook)
      return verified
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
