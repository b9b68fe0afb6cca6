import { loadEnvFile } from '../platform/lib/env-file.ts'
import { openAdminDeps } from './open-deps.ts'
import { runAdmin } from './run-admin.ts'

loadEnvFile()

/** The operator plane: `npm run admin -- <noun> <verb>`. */
const { exitCode, stdout, stderr } = await runAdmin(process.argv.slice(2), () =>
  openAdminDeps(process.env),
)
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = exitCode
