import { setTimeout as delay } from 'node:timers/promises'
import type { Query } from './db.ts'

/** A notification for listeners, who also look without one from time to time. */
export interface Hint {
  channel: string
  payload: string
}

export interface Hints {
  /** Sends them soon; one of several equal ones. */
  add(hints: readonly Hint[]): void
  /** Resolves when all have been sent. Later ones are sent without a pause. */
  end(): Promise<void>
}

/** From one batch to the next. */
const PAUSE_MS = 10

/**
 * Sends hints in batches, the first one at once. PostgreSQL commits transactions that notify one after the other, each with its
 * write to the disk, so the transaction of a change must not notify. A batch may be lost: the listeners look anyway.
 */
export function createHints(query: Query, send = sendHints): Hints {
  const waiting = new Map<string, Hint>()
  const ending = new AbortController()
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()]
      waiting.clear()
      await send(query, batch).catch(() => {})
      await delay(PAUSE_MS, undefined, { signal: ending.signal }).catch(() => {})
    }
    sending = undefined
  }

  return {
    add(hints) {
      for (const hint of hints) waiting.set(`${hint.channel} ${hint.payload}`, hint)
      if (waiting.size > 0) sending ??= sendAll()
    },
    async end() {
      ending.abort()
      await sending
    },
  }
}

/** Nobody waits for the disk: the transaction of hints has nothing to keep. */
async function sendHints(query: Query, batch: readonly Hint[]): Promise<void> {
  const [channels, payloads] = [
    batch.map((hint) => hint.channel),
    batch.map((hint) => hint.payload),
  ]
  await query`
    select set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
      from unnest(${channels}::text[], ${payloads}::text[]) as hint (channel, payload)
  `
}
