import { type Config, ConfigError } from '../../platform/config/config.ts'
import { checkPages } from './pages.ts'

const HOW =
  'Run "npm run build" where development dependencies are installed, and bring web/dist; PAGES_DIR names them elsewhere'

/** Throws `ConfigError` if a page that links lead to was not built, because a start builds none. */
export async function requirePages(config: Config): Promise<void> {
  if (config.role === 'worker') return
  try {
    await checkPages({ config })
  } catch {
    throw new ConfigError([`There are no built pages in ${config.pagesDir}. ${HOW}`])
  }
}
