import { type Check, fail, type Outcome } from '../../platform/checks/check.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { INVARIANTS, listAllSealed } from './invariant-store.ts'
import { canOpen } from './monitoring-checks.ts'

type InvariantDeps = Pick<Deps, 'db' | 'secretBox'>

const EXAMPLES_MAX = 10
const SECRETS_RULE = 'SECRETS_KEY opens everything that is encrypted at rest.'

/** Rules that always hold. Each reads whole tables, so it is for an operator who asks, not for a probe. */
export const INVARIANT_CHECKS: readonly Check<InvariantDeps>[] = [
  ...INVARIANTS.map(({ name, rule, find }) => ({
    name,
    ask: async ({ db }: InvariantDeps) => broken(await find(db, EXAMPLES_MAX), rule),
    passes: rule,
  })),
  {
    name: 'secrets-can-be-read',
    async ask({ db, secretBox }) {
      const all = await listAllSealed(db)
      const unreadable = all.filter(({ sealed }) => !canOpen(secretBox, sealed))
      return broken(unreadable.slice(0, EXAMPLES_MAX), SECRETS_RULE)
    },
    passes: SECRETS_RULE,
  },
]

function broken(rows: readonly { id: string }[], rule: string): Outcome | undefined {
  return rows.length === 0 ? undefined : { ...fail(rule), examples: rows.map(({ id }) => id) }
}

export interface Violation {
  invariant: string
  rule: string
  /** Ids of at most ten violations. */
  examples: string[]
}

/** Returns the invariants that the database violates. Throws if one cannot be read. */
export async function checkInvariants(
  deps: InvariantDeps,
): Promise<{ checked: number; violations: Violation[] }> {
  const violations: Violation[] = []
  for (const { name, ask } of INVARIANT_CHECKS) {
    const found = await ask(deps)
    if (found === undefined) continue
    violations.push({ invariant: name, rule: found.detail, examples: found.examples ?? [] })
  }
  return { checked: INVARIANT_CHECKS.length, violations }
}
