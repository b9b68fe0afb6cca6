import type { SecretBox } from './secret-box.ts'

export interface SealedSecret {
  id: string
  sealed: Uint8Array
}

export interface ResealCounts {
  secrets: number
  resealed: number
  /** Encrypted with neither key. */
  unreadable: number
}

/** Puts every secret under the current key that is under the previous one. Safe to repeat. */
export async function resealAll(
  box: SecretBox,
  secrets: readonly SealedSecret[],
  replace: (secret: SealedSecret, sealed: Buffer) => Promise<void>,
): Promise<ResealCounts> {
  const counts = { secrets: secrets.length, resealed: 0, unreadable: 0 }
  for (const secret of secrets) {
    const found = resealed(box, secret)
    if (found === 'unreadable') counts.unreadable += 1
    if (!(found instanceof Buffer)) continue
    await replace(secret, found)
    counts.resealed += 1
  }
  return counts
}

function resealed(box: SecretBox, { sealed }: SealedSecret): Buffer | 'unreadable' | undefined {
  try {
    return box.reseal(sealed)
  } catch {
    return 'unreadable'
  }
}
