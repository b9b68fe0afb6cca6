import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const ROOT = path.resolve(import.meta.dirname, '../..')
const KB = 1000
const BUDGET_KB = 350

/** Builds the pages and weighs every script of the room page. Too much of it is a failure: exit 1. */
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
    if (totalKb > BUDGET_KB) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Weight {
  file: string
  kb: number
  gzipKb: number
}

/** What the page names, and whatever scripts these name in turn, immediately or later. */
async function weigh(folder: string): Promise<Weight[]> {
  const page = await readFile(path.join(folder, 'room.html'), 'utf8')
  const scripts = new Set(namesIn(page))
  if (scripts.size === 0) throw new Error('the room page names no script')
  const weights: Weight[] = []
  // A set is walked in the order of adding: what is found on the way is weighed, too.
  for (const file of scripts) {
    const bytes = await readFile(path.join(folder, 'assets', file))
    for (const name of namesIn(bytes.toString())) scripts.add(name)
    weights.push({ file, kb: bytes.length / KB, gzipKb: gzipSync(bytes).length / KB })
  }
  return weights
}

/** The build puts all scripts into one folder, and a hash into every name. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/["'`/]([\w-]+-[\w-]{8}\.js)["'`]/g)].flatMap(([, name]) => name ?? [])
}
