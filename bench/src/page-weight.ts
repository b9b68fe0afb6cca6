import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const ROOT = path.resolve(import.meta.dirname, '../..')
const KB = 1000
const BUDGET_KB = 350

/** Builds the pages and weighs the scripts that the room page loads before it can be used. */
export async function measurePageWeight(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-bench-'))
  try {
    const vite = path.join(ROOT, 'node_modules/.bin/vite')
    const build = ['build', '--outDir', folder, '--logLevel', 'error']
    await promisify(execFile)(vite, build, { cwd: path.join(ROOT, 'web'), timeout: 300_000 })
    const scripts = await weigh(folder)
    const totalKb = scripts.reduce((sum, { gzipKb }) => sum + gzipKb, 0)
    console.table(scripts)
    console.log(`room page: ${totalKb.toFixed(1)} kB of script, budget ${BUDGET_KB} kB (gzip)`)
    console.log(JSON.stringify({ bench: 'page-weight', totalKb, budgetKb: BUDGET_KB, scripts }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Weight {
  file: string
  kb: number
  gzipKb: number
}

/** The entry and what it imports; the build names both in the page. */
async function weigh(folder: string): Promise<Weight[]> {
  const page = await readFile(path.join(folder, 'room.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file ?? '')
  if (files.length === 0) throw new Error('the room page names no script')
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(folder, file))
      return { file, kb: bytes.length / KB, gzipKb: gzipSync(bytes).length / KB }
    }),
  )
}
