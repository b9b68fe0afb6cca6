import type { CaptionBody } from '@interview-room/contract/live-text.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '../../../platform/db/db.ts'
import { notifyCaptions } from './live-text-store.ts'

/** Three times a second. */
const EVERY_MS = 333
/** A notification has at most 8,000 bytes. The end of a long text is what is being said. */
const TEXT_MAX = 1000

export interface Captions {
  /** Shows a text that may still change. The newest one of each person is sent, three times a second. */
  show(caption: CaptionBody, roles: readonly Role[]): void
  /** Forgets what waits of this segment. */
  drop(segment: string): void
  stop(): void
}

/** Sends texts that are not final to the pages of a room. They are stored nowhere. */
export function createCaptions(db: Db, roomId: string): Captions {
  const waiting = new Map<string, { caption: CaptionBody; roles: readonly Role[] }>()
  let isSending = false

  async function send(): Promise<void> {
    if (isSending || waiting.size === 0) return
    isSending = true
    const captions = [...waiting.values()].map((each) => ({ roomId, ...each }))
    waiting.clear()
    try {
      await notifyCaptions(db, captions)
    } catch {
      // The database is away. The next text replaces it.
    } finally {
      isSending = false
    }
  }

  const sending = setInterval(() => void send(), EVERY_MS).unref()
  return {
    show(caption, roles) {
      const text = caption.text.slice(-TEXT_MAX)
      const key = `${caption.identity} ${caption.is_translation ? caption.language : ''}`
      waiting.set(key, { caption: { ...caption, text }, roles })
    },
    drop(segment) {
      for (const [key, { caption }] of waiting) if (caption.segment === segment) waiting.delete(key)
    },
    stop() {
      clearInterval(sending)
      void send()
    },
  }
}
