import { loadEnvFile } from '../platform/lib/env-file.ts'
import { openDeps } from '../service.ts'
import { runDoctor } from './run-doctor.ts'

loadEnvFile()

/** `npm run doctor`: checks an installation, and says what to mend. */
const { exitCode, stdout, stderr } = await runDoctor(process.argv.slice(2), process.env, (config) =>
  openDeps({ ...config, logLevel: 'silent' }),
)
process.stderr.write(stderr)
// A check that got no answer in time may still wait for it.
process.stdout.write(stdout, () => process.exit(exitCode))
