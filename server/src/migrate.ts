import { ConfigError } from './platform/config/config.ts'
import { readDatabaseUrl } from './platform/config/database-url.ts'
import { connectProblem } from './platform/db/connect-problem.ts'
import { migrate } from './platform/db/migrate.ts'
import { loadEnvFile } from './platform/lib/env-file.ts'
import { readEnvironment } from './platform/lib/environment.ts'

/** `npm run migrate`: brings the database that `DATABASE_URL` names to the schema of this release. */
let url: string | undefined
try {
  loadEnvFile()
  const read = readEnvironment(process.env)
  url = readDatabaseUrl(read)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  const applied = await migrate({
    url,
    onProgress: (message, { migration = '' }) =>
      process.stdout.write(`${[message, migration].filter(Boolean).join(': ')}\n`),
  })
  process.stdout.write(applied.length === 0 ? 'nothing to migrate\n' : 'migrated\n')
} catch (error) {
  const problem = url === undefined ? undefined : connectProblem(error, url)
  process.stderr.write(`${problem ?? (error instanceof Error ? error.message : String(error))}\n`)
  process.exitCode = 1
}
