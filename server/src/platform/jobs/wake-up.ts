import type { Db } from '../db/db.ts'

export interface WakeUp {
  /** Answers at the next hint, or after the time, whichever comes first. */
  wait(ms: number): Promise<void>
  /** Ends a wait immediately. */
  now(): void
  stop(): void
}

/** Hints by NOTIFY. They may be lost, so listeners also wait for the time. */
export function listenFor(db: Db, channel: string): WakeUp {
  let wake: (() => void) | undefined
  let isHinted = false

  function now(): void {
    isHinted = true
    wake?.()
  }

  const unlisten = db.listen(channel, { onNotify: now, onListening: now })

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
    stop() {
      now()
      unlisten()
    },
  }
}
