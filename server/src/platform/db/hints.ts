import { setTimeout as delay } from 'node:timers/promises'
import type { Written } from './statement.ts'

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
export function createHints(send: (batch: readonly Hint[]) => Promise<unknown>): Hints {
  const waiting = new Map<string, Hint>()
  const ending = new AbortController()
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()]
      waiting.clear()
      await send(batch).catch(() => {})
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

/** The statement that sends a batch. Nobody waits for the disk: its transaction has nothing to keep. */
export function notificationOf(batch: readonly Hint[]): Written {
  const text = `
    select set_config('synchronous_commit', 'off', true), pg_notify(channel, payload)
      from unnest($1::text[], $2::text[]) as hint (channel, payload)
  `
  return {
    text,
    values: [batch.map(({ channel }) => channel), batch.map(({ payload }) => payload)],
  }
}
