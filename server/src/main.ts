import { ConfigError, loadConfig } from './config.ts'
import { ensurePages } from './http/build-pages.ts'
import { loadEnvFile } from './lib/env-file.ts'
import { closeOnSignals } from './lib/shutdown.ts'
import { startService } from './service.ts'

/** `npm run serve`: the service on a database, a storage and a LiveKit that are already there. */
try {
  loadEnvFile()
  const config = loadConfig(process.env)
  if (config.role !== 'worker') await ensurePages(config.pagesDir)
  const service = await startService(config)
  closeOnSignals(() => service.close(), config)
  process.stdout.write(`serving ${config.publicUrl} as ${config.role}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exit(1)
}
