import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookEvent } from '@livekit/protocol'
import { SignJWT } from 'jose'
import { newId } from '../lib/ids.ts'
import { type Log, reasonOf } from '../lib/log.ts'
import { steadyNow } from '../lib/steady-now.ts'
import type { ApiKeys } from './tokens.ts'

/** A webhook event before the sender gives it an id and a time. */
export type EventContent = Pick<WebhookEvent, 'event'> &
  Partial<Pick<WebhookEvent, 'room' | 'participant' | 'track' | 'egressInfo'>>

interface WebhookTarget {
  urls: readonly string[]
  apiKey: string
  secret: string
}

/** Target of events, with the key that signs them. Throws if it is not one of the API keys. */
export function webhookTarget({
  webhook,
  apiKeys,
}: {
  webhook?: { urls: string[]; apiKey: string }
  apiKeys: ApiKeys
}): WebhookTarget | undefined {
  if (webhook === undefined || webhook.urls.length === 0) return undefined
  const secret = apiKeys[webhook.apiKey]
  if (secret === undefined) throw new Error(`webhook key "${webhook.apiKey}" is not an API key`)
  return { ...webhook, secret }
}

/** Effects of the queue on the outside: controlled by tests. */
export interface WebhookEffects {
  now: () => number
  /** Like `now`, and never set: for how long an event has waited. */
  steadyNow: () => number
  sleep: (ms: number) => Promise<void>
  /** The HTTP status of the answer; throws on a transport error. */
  post: (url: string, body: string, authorization: string) => Promise<number>
}

const QUEUE_DEPTH_MAX = 200
const EVENT_AGE_MAX_MS = 30_000
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000]
const POST_TIMEOUT_MS = 30_000
const TOKEN_TTL_SEC = 300

interface QueuedWebhook {
  url: string
  event: string
  body: string
  queuedAtMs: number
}

/**
 * Delivers events in order, one queue per URL and key (the room's name). An answer of 5xx or 429
 * and a transport error are tried again after 1, 2, 4 and 8 s; every other answer is final. What
 * waited longer than 30 s, and what finds 200 events before it, is dropped.
 */
export class WebhookSender {
  readonly #target: WebhookTarget | undefined
  readonly #effects: WebhookEffects
  readonly #log: Log
  readonly #queues = new Map<string, QueuedWebhook[]>()
  readonly #running = new Set<Promise<void>>()

  constructor(target: WebhookTarget | undefined, log: Log, effects: WebhookEffects = realEffects) {
    this.#target = target
    this.#log = log
    this.#effects = effects
  }

  send(key: string, content: EventContent): void {
    if (this.#target === undefined) return
    const body = new WebhookEvent({
      ...content,
      id: newId('EV_'),
      createdAt: BigInt(Math.floor(this.#effects.now() / 1000)),
    }).toJsonString()
    const queuedAtMs = this.#effects.steadyNow()
    for (const url of this.#target.urls) {
      this.#enqueue(`${url} ${key}`, { url, event: content.event, body, queuedAtMs })
    }
  }

  /** Resolves when every queue is empty, or after the given time. */
  async drain(timeoutMs: number): Promise<void> {
    const deadline = AbortSignal.timeout(timeoutMs)
    const expired = new Promise<void>((resolve) =>
      deadline.addEventListener('abort', () => resolve()),
    )
    await Promise.race([Promise.all(this.#running), expired])
  }

  #enqueue(queueKey: string, item: QueuedWebhook): void {
    const waiting = this.#queues.get(queueKey)
    if (waiting === undefined) {
      this.#queues.set(queueKey, [item])
      const run = this.#work(queueKey).finally(() => this.#running.delete(run))
      this.#running.add(run)
      return
    }
    if (waiting.length >= QUEUE_DEPTH_MAX) {
      this.#log({ level: 'warn', msg: 'webhook dropped: queue full', event: item.event })
      return
    }
    waiting.push(item)
  }

  async #work(queueKey: string): Promise<void> {
    const queue = this.#queues.get(queueKey) ?? []
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (this.#effects.steadyNow() - item.queuedAtMs > EVENT_AGE_MAX_MS) {
        this.#log({ level: 'warn', msg: 'webhook dropped: too old', event: item.event })
        continue
      }
      await this.#deliver(item)
    }
    this.#queues.delete(queueKey)
  }

  async #deliver({ url, event, body }: QueuedWebhook): Promise<void> {
    const token = await this.#sign(body)
    for (let attempt = 0; attempt <= RETRY_DELAYS_MS.length; attempt++) {
      const delayMs = RETRY_DELAYS_MS[attempt - 1]
      if (delayMs !== undefined) await this.#effects.sleep(delayMs)

      const outcome = await this.#attempt(url, body, token)
      if (outcome === 'delivered') return
      this.#log({ level: 'warn', msg: 'webhook delivery failed', event, attempt, ...outcome })
      if (!outcome.isRetryable) return
    }
  }

  async #attempt(url: string, body: string, token: string) {
    try {
      const status = await this.#effects.post(url, body, token)
      if (status >= 200 && status < 400) return 'delivered'
      return { status, isRetryable: status === 429 || (status >= 500 && status !== 501) }
    } catch (error) {
      return { reason: reasonOf(error), isRetryable: true }
    }
  }

  async #sign(body: string): Promise<string> {
    const target = this.#target
    if (target === undefined) throw new Error('no webhook target')
    return new SignJWT({ sha256: createHash('sha256').update(body).digest('base64') })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(target.apiKey)
      .setExpirationTime(`${TOKEN_TTL_SEC}s`)
      .sign(new TextEncoder().encode(target.secret))
  }
}

const realEffects: WebhookEffects = {
  now: Date.now,
  steadyNow,
  sleep: async (ms) => {
    await sleep(ms, undefined, { ref: false })
  },
  async post(url, body, authorization) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/webhook+json',
        'User-Agent': 'LiveKit',
        Authorization: authorization,
      },
      body,
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    return response.status
  },
}
