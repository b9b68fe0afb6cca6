import { type Check, fail, ok, type Outcome } from '../platform/checks/check.ts'
import { connectProblem } from '../platform/db/connect-problem.ts'
import { findMissing } from '../platform/db/migrate.ts'
import { requireWrites } from '../platform/db/require-writes.ts'
import type { Diagnosis } from './diagnosis.ts'
import { mayAddExtension } from './store.ts'

/** PostgreSQL is reachable, has the schema of this release, and holds keys that SECRETS_KEY decrypts. */
export const DATABASE_CHECKS: readonly Check<Diagnosis>[] = [
  {
    name: 'database:responseTime',
    ask: reach,
    advice:
      'Check DATABASE_URL, PostgreSQL and the network between (docs/runbook.md#databaseresponsetime).',
  },
  {
    name: 'database:schema',
    ask: checkSchema,
    passes: 'the schema is that of this release',
    advice: 'Run "npm run migrate".',
    when: { needs: ['database:responseTime'] },
  },
  {
    name: 'keys:service',
    ask: checkServiceKey,
    advice: 'Restore the SECRETS_KEY that the database was encrypted with.',
    when: { needs: ['database:schema'] },
  },
]

async function reach({ db, config }: Diagnosis): Promise<Outcome> {
  try {
    await requireWrites(db)
  } catch (error) {
    const problem = connectProblem(error, config.databaseUrl)
    if (problem === undefined) throw error
    return fail(problem, 'See docs/runbook.md#databaseresponsetime.')
  }
  const { host, pathname } = new URL(config.databaseUrl)
  return ok(`PostgreSQL answers at ${host}${pathname}`)
}

async function checkSchema({ db, config }: Diagnosis): Promise<Outcome | undefined> {
  const missing = await findMissing(config.databaseUrl).catch((error: unknown) => {
    const problem = connectProblem(error, config.databaseUrl)
    if (problem === undefined) throw error
    return problem
  })
  if (typeof missing === 'string') return fail(missing, 'See docs/operations.md#database.')
  if (missing.length === 0) return undefined
  if (!(await mayAddExtension(db))) {
    return fail(
      'the user of DATABASE_URL may not add the extension pg_trgm, which a migration needs',
      'Grant it "create" on the database, or let somebody else run "create extension pg_trgm" (docs/deployment.md).',
    )
  }
  return fail(`${missing.length} migrations of this release are missing, from ${missing[0]} on`)
}

async function checkServiceKey({ serviceKeys }: Diagnosis): Promise<Outcome> {
  const { kid } = await serviceKeys.signing()
  return ok(`the signing key of the service can be decrypted (${kid.slice(0, 8)}…)`)
}
