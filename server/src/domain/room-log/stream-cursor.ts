import type { SecretBox } from '../../platform/lib/secret-box.ts'

/** Sealing hides a number but not its length, so every number has the same length. */
const DIGITS = 20

/**
 * The position in a room's live log that browsers receive. It is sealed, because gaps between plain
 * numbers would show a panelist how much happens behind the scenes.
 */
export interface StreamCursors {
  seal(roomId: string, seq: bigint): string
  /** Returns undefined unless it is a cursor of this room's log. */
  open(roomId: string, cursor: string): bigint | undefined
}

export function createStreamCursors(secretBox: SecretBox): StreamCursors {
  return {
    seal: (roomId, seq) =>
      secretBox.seal(`live ${roomId} ${String(seq).padStart(DIGITS, '0')}`).toString('base64url'),
    open(roomId, cursor) {
      try {
        const [purpose, room, seq] = secretBox.open(Buffer.from(cursor, 'base64url')).split(' ')
        return purpose === 'live' && room === roomId ? BigInt(seq ?? '') : undefined
      } catch {
        return undefined
      }
    },
  }
}
