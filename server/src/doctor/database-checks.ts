import { connectProblem } from '../platform/db/connect-problem.ts'
import { findMissing } from '../platform/db/migrate.ts'
import { DatabaseLost } from '../platform/db/unavailable.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { examine, fail, type CheckResult, ok, skipped, type Outcome } from './check-result.ts'
import { isReadOnly } from './store.ts'

type DatabaseDeps = Pick<Deps, 'db' | 'config' | 'serviceKeys'>

/** Checks that PostgreSQL is reachable, has the schema of this release, and holds keys that SECRETS_KEY decrypts. */
export async function checkDatabase(deps: DatabaseDeps): Promise<CheckResult[]> {
  const reached = await examine(
    'database:responseTime',
    'Check DATABASE_URL, PostgreSQL and the network between (docs/runbook.md#databaseresponsetime).',
    () => reach(deps),
  )
  const schema =
    reached.result === 'ok'
      ? await examine('database:schema', 'Run "npm run migrate".', () => checkSchema(deps))
      : { check: 'database:schema', ...skipped('needs the database') }
  const keys =
    schema.result === 'ok'
      ? await examine(
          'keys:service',
          'Restore the SECRETS_KEY that the database was encrypted with.',
          () => checkServiceKey(deps),
        )
      : { check: 'keys:service', ...skipped('needs the database with its schema') }
  return [reached, schema, keys]
}

async function reach({ db, config }: DatabaseDeps): Promise<Outcome> {
  try {
    if (await isReadOnly(db)) throw new DatabaseLost(true)
  } catch (error) {
    const problem = connectProblem(error, config.databaseUrl)
    if (problem === undefined) throw error
    return fail(problem, 'See docs/runbook.md#databaseresponsetime.')
  }
  const { host, pathname } = new URL(config.databaseUrl)
  return ok(`PostgreSQL answers at ${host}${pathname}`)
}

async function checkSchema({ config }: DatabaseDeps): Promise<Outcome> {
  const missing = await findMissing(config.databaseUrl).catch((error: unknown) => {
    const problem = connectProblem(error, config.databaseUrl)
    if (problem === undefined) throw error
    return problem
  })
  if (typeof missing === 'string') return fail(missing, 'See docs/operations.md#database.')
  if (missing.length === 0) return ok('the schema is that of this release')
  return fail(
    `${missing.length} migrations of this release are missing, from ${missing[0]} on`,
    'Run "npm run migrate".',
  )
}

async function checkServiceKey({ serviceKeys }: DatabaseDeps): Promise<Outcome> {
  const { kid } = await serviceKeys.signing()
  return ok(`the signing key of the service can be decrypted (${kid.slice(0, 8)}…)`)
}
