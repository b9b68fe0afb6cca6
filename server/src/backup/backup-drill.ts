import { loadEnvFile } from '../platform/lib/env-file.ts'
import { DRILL_HELP, DrillUsageError, runDrill } from './run-drill.ts'

loadEnvFile()

/** `npm run backup-drill`: proves that a backup can be restored. */
try {
  await runDrill(process.argv.slice(2), process.env, (line) =>
    process.stdout.write(`ok    ${line}\n`),
  )
} catch (error) {
  process.stderr.write(`FAIL  ${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof DrillUsageError) process.stderr.write(DRILL_HELP)
  process.exitCode = error instanceof DrillUsageError ? 2 : 1
}
