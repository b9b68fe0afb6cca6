import type { Claims } from '../api/tokens.ts'

type Token = Pick<Claims, 'tokenId' | 'issuedAtSec'>

/**
 * Removals from a room, and the tokens that must not bring anybody back: those issued before. Most issuers state
 * the time of issue in whole seconds. Within the second of the removal itself, the token that was in use is refused
 * and others are accepted, so that somebody who is readmitted immediately gets in.
 */
export class Removals {
  readonly #byIdentity = new Map<string, { atMs: number; usedTokenIds: Set<string> }>()

  /** @param used the token of the connection that ends; undefined where there is none. */
  note(identity: string, { atMs, used }: { atMs: number; used: Token | undefined }): void {
    const usedTokenIds = this.#byIdentity.get(identity)?.usedTokenIds ?? new Set()
    if (used !== undefined) usedTokenIds.add(used.tokenId)
    this.#byIdentity.set(identity, { atMs, usedTokenIds })
  }

  isRefused({ identity, tokenId, issuedAtSec }: Token & Pick<Claims, 'identity'>): boolean {
    const removal = this.#byIdentity.get(identity)
    if (removal === undefined) return false
    if (issuedAtSec === undefined || removal.usedTokenIds.has(tokenId)) return true
    if (Number.isInteger(issuedAtSec)) return issuedAtSec < Math.floor(removal.atMs / 1000)
    return Math.round(issuedAtSec * 1000) < removal.atMs
  }
}
