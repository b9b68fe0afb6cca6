import type { Deps } from '../../platform/ports/deps.ts'
import { INVARIANTS, listAllSealed } from './invariant-store.ts'

export const INVARIANT_RULES: readonly { name: string; rule: string }[] = INVARIANTS

export interface Violation {
  invariant: string
  rule: string
  /** Ids of at most ten violations. */
  examples: string[]
}

const EXAMPLES_MAX = 10

/**
 * Returns the invariants that the database violates. It reads whole tables, so it is for an operator who asks, not for a
 * probe.
 */
export async function checkInvariants({
  db,
  secretBox,
}: Pick<Deps, 'db' | 'secretBox'>): Promise<{ checked: number; violations: Violation[] }> {
  const violations: Violation[] = []
  for (const { name, rule, find } of INVARIANTS) {
    const found = await find(db, EXAMPLES_MAX)
    if (found.length === 0) continue
    violations.push({ invariant: name, rule, examples: found.map(({ id }) => id) })
  }
  const unreadable = (await listAllSealed(db)).filter(({ sealed }) => !canOpen(secretBox, sealed))
  if (unreadable.length > 0) {
    violations.push({
      invariant: 'secrets-can-be-read',
      rule: 'SECRETS_KEY opens everything that is encrypted at rest.',
      examples: unreadable.slice(0, EXAMPLES_MAX).map(({ id }) => id),
    })
  }
  return { checked: INVARIANTS.length + 1, violations }
}

function canOpen(secretBox: Deps['secretBox'], sealed: Uint8Array): boolean {
  try {
    secretBox.open(sealed)
    return true
  } catch {
    return false
  }
}
