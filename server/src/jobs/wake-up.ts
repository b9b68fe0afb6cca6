import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'

export interface WakeUp {
  /** Answers at the next hint, or after the time, whichever comes first. */
  wait(ms: number): Promise<void>
  /** Ends a wait at once. */
  now(): void
  stop(): Promise<void>
}

/** Hints by NOTIFY. They may be lost, so whoever waits also waits for the time. */
export function listenFor(db: Db, channel: string, log: Logger): WakeUp {
  let wake: (() => void) | undefined
  let isHinted = false

  function now(): void {
    isHinted = true
    wake?.()
  }

  // Without the listener the polling still works; postgres.js listens again after a reconnect.
  const listening = db.listen(channel, now, now).catch((error: unknown) => {
    log.warn({ err: error, channel }, 'no hints from the database; polling only')
    return undefined
  })

  return {
    now,
    async wait(ms) {
      if (!isHinted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      wake = undefined
      isHinted = false
    },
    async stop() {
      now()
      await (await listening)?.unlisten()
    },
  }
}
