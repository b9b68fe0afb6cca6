import { connectProblem } from './platform/db/connect-problem.ts'
import { migrate } from './platform/db/migrate.ts'
import { loadEnvFile } from './platform/lib/env-file.ts'

/** `npm run migrate`: brings the database that `DATABASE_URL` names to the schema of this release. */
let url: string | undefined
try {
  loadEnvFile()
  url = process.env['DATABASE_URL']
  if (!url) throw new Error('DATABASE_URL is not set: the database to migrate')
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
