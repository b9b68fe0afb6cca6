import type { SecretBox } from '../../platform/lib/secret-box.ts'

/** Digits of a place: sealing hides what it says, but not how long it is. */
const DIGITS = 20

/**
 * The place in a room's live log as it is told to browsers: sealed, because the number itself would
 * tell a panelist by its gaps how much happens behind the scenes.
 */
export interface Places {
  seal(roomId: string, seq: bigint): string
  /** Undefined unless it is a place in this room's log. */
  open(roomId: string, place: string): bigint | undefined
}

export function createPlaces(secretBox: SecretBox): Places {
  return {
    seal: (roomId, seq) =>
      secretBox.seal(`live ${roomId} ${String(seq).padStart(DIGITS, '0')}`).toString('base64url'),
    open(roomId, place) {
      try {
        const [purpose, room, seq] = secretBox.open(Buffer.from(place, 'base64url')).split(' ')
        return purpose === 'live' && room === roomId ? BigInt(seq ?? '') : undefined
      } catch {
        return undefined
      }
    },
  }
}
