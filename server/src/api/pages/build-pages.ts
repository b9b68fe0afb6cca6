import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { BUILT_PAGES } from '../../platform/config/config.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js')
/** Written last (`web/vite.config.ts`), so that a build that was killed counts as none. */
const BUILT = path.join(BUILT_PAGES, '.built')
const SOURCES = [
  'web/src',
  'web/room.html',
  'web/playground.html',
  'web/board.html',
  'web/review.html',
  'web/console.html',
  'web/test.html',
  'web/docs.html',
  'web/not-found.html',
  'web/vite.config.ts',
  'web/precompress.ts',
  'web/hosted-files.ts',
  'web/pdfjs-files.ts',
  'web/segmenter-files.ts',
  'web/start-script.ts',
  'contract/src',
]

/** True if `pagesDir` is this clone's own build, and the sources have changed since. */
export async function areOwnPagesStale(pagesDir: string): Promise<boolean> {
  // Without the tools, what was brought is what is served, whatever its date.
  return pagesDir === BUILT_PAGES && existsSync(VITE) && (await arePagesStale())
}

export function arePagesBuilt(): boolean {
  return existsSync(BUILT)
}

/** True if the pages were never built, or one of their sources is newer. */
export async function arePagesStale(): Promise<boolean> {
  const built = await stat(BUILT).catch(() => undefined)
  if (built === undefined) return true
  const newest = await Promise.all(SOURCES.map((source) => newestChangeMs(path.join(ROOT, source))))
  return Math.max(...newest) > built.mtimeMs
}

/** Builds as `npm run build` does, without its output. */
export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [VITE, 'build', '--logLevel', 'warn'], {
    cwd: path.join(ROOT, 'web'),
    // Whatever this process runs in: pages for development are twice as large.
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  })
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
