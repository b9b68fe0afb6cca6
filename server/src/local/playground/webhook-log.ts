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
  receive(body: string, headers: Record<string, string | string[] | undefined>): Promise<void>
  /** Calls back at every new webhook until the answer is called. */
  follow(listener: (webhook: LoggedWebhook) => void): () => void
}

const KEPT_MAX = 200

/** The last webhooks, in memory: they are for looking at, the deliveries themselves are rows. */
export function createWebhookLog(
  readSecrets: () => Promise<string[]>,
  now: () => Date,
): WebhookLog {
  const kept: LoggedWebhook[] = []
  const listeners = new Set<(webhook: LoggedWebhook) => void>()

  return {
    entries: () => kept,
    async receive(body, headers) {
      const plain = Object.fromEntries(
        Object.entries(headers).filter(
          (header): header is [string, string] => typeof header[1] === 'string',
        ),
      )
      const secrets = await readSecrets()
      const verified = secrets.some((secret) => isSignedBy(secret, body, plain))
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
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function isSignedBy(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
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
