import { ConfigError, loadConfig } from './config.ts'
import { closeOnSignals } from './lib/shutdown.ts'
import { startService } from './service.ts'

/** `npm run serve`: the service on a database, a storage and a LiveKit that are already there. */
try {
  const config = loadConfig(process.env)
  const service = await startService(config)
  closeOnSignals(() => service.close())
  process.stdout.write(`serving ${config.publicUrl} as ${config.role}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exit(1)
}
