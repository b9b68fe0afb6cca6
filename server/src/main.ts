import { areOwnPagesStale } from './api/pages/build-pages.ts'
import { requirePages } from './api/pages/require-pages.ts'
import { ConfigError, loadConfig } from './platform/config/config.ts'
import { requireWorkDir } from './platform/config/require-work-dir.ts'
import { loadEnvFile } from './platform/lib/env-file.ts'
import { settlesWithin } from './platform/lib/settles-within.ts'
import { closeOnSignals } from './platform/lib/shutdown.ts'
import { type Service, startService } from './service.ts'

const OLD_PAGES = 'The pages are older than their sources: run "npm run build"\n'
/** How long a signal to stop waits for a start that has not finished. */
const GIVE_UP_MS = 5_000

/** `npm run serve`: the service on a database, a storage and a LiveKit that are already there. */
const stopping = new AbortController()
// The service keeps running when its output goes to a full disk.
process.stdout.on('error', () => {})
try {
  loadEnvFile()
  const config = loadConfig(process.env)
  await requireWorkDir(config)
  await requirePages(config)
  if (config.role !== 'worker' && (await areOwnPagesStale(config.pagesDir)))
    process.stdout.write(OLD_PAGES)
  let service: Service | undefined
  const starting = startService(config, { giveUp: stopping.signal })
  closeOnSignals(async () => {
    stopping.abort()
    await settlesWithin(starting, GIVE_UP_MS)
    await service?.close()
  }, config)
  service = await starting
  const what = config.role === 'worker' ? 'working' : `serving ${config.publicUrl}`
  process.stdout.write(`${what} as ${config.role}\n`)
} catch (error) {
  // A signal to stop while it waited for the database is no failure. The signal ends the process.
  if (!stopping.signal.aborted) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
