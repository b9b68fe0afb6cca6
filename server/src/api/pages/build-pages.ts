import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { BUILT_PAGES, ConfigError } from '../../platform/config/config.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js')
/** Written last, so that a build that was killed counts as none. */
const BUILT = path.join(BUILT_PAGES, '.built')
const SOURCES = [
  'web/src',
  'web/room.html',
  'web/playground.html',
  'web/board.html',
  'web/console.html',
  'web/test.html',
  'web/vite.config.ts',
  'web/precompress.ts',
  'web/hosted-files.ts',
  'web/pdfjs-files.ts',
  'web/segmenter-files.ts',
  'contract/src',
]

/** Whether the pages were never built, or something they are made of is newer. */
export async function arePagesStale(): Promise<boolean> {
  const built = await stat(BUILT).catch(() => undefined)
  if (built === undefined) return true
  const newest = await Promise.all(SOURCES.map((source) => newestChangeMs(path.join(ROOT, source))))
  return Math.max(...newest) > built.mtimeMs
}

/**
 * Makes sure that the pages are there. Those of `web/dist` are built where they are missing or old and the
 * tools for it are installed. Throws ConfigError where there are none and nothing to build them with.
 */
export async function ensurePages(pagesDir: string): Promise<void> {
  const isOurs = pagesDir === BUILT_PAGES
  if (isOurs && existsSync(VITE)) {
    if (await arePagesStale()) await buildPages()
    return
  }
  // Without the tools, what was brought is what is served, whatever its date.
  if (existsSync(path.join(pagesDir, 'room.html'))) return
  throw new ConfigError([
    `There are no built pages in ${pagesDir}. Run "npm install && npm run build" where development dependencies may be installed, and bring web/dist`,
  ])
}

export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [VITE, 'build', '--logLevel', 'warn'], {
    cwd: path.join(ROOT, 'web'),
    // Whatever this process runs in: pages for development are twice as large.
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  })
  await writeFile(BUILT, '')
}

async function newestChangeMs(place: string): Promise<number> {
  const { mtimeMs } = await stat(place)
  if (path.extname(place) !== '') return mtimeMs
  const names = await readdir(place, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  const changes = await Promise.all(
    files.map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).mtimeMs),
  )
  return Math.max(mtimeMs, ...changes)
}
