import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'

const ROOT = path.resolve(import.meta.dirname, '../..')
const KB = 1000
const BUDGET_KB = 350

/**
 * Builds the pages and weighs every script of the room page. Exits with 1 if the page loads too much before it works.
 */
export async function measurePageWeight(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-bench-'))
  try {
    const vite = path.join(ROOT, 'node_modules/.bin/vite')
    const build = ['build', '--outDir', folder, '--logLevel', 'error']
    await promisify(execFile)(vite, build, { cwd: path.join(ROOT, 'web'), timeout: 300_000 })
    const scripts = await weigh(folder)
    const totalKb = (isLater: boolean) =>
      scripts.reduce((sum, each) => sum + (each.isLater === isLater ? each.brotliKb : 0), 0)
    const firstKb = totalKb(false)
    const laterKb = totalKb(true)
    console.table(scripts)
    console.log(
      `room page: ${firstKb.toFixed(1)} kB of script, budget ${BUDGET_KB} kB (brotli); ` +
        `${laterKb.toFixed(1)} kB later, where something needs them`,
    )
    console.log(
      JSON.stringify({ bench: 'page-weight', firstKb, laterKb, budgetKb: BUDGET_KB, scripts }),
    )
    if (firstKb > BUDGET_KB) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Weight {
  file: string
  /** Loaded by `import()`, only when somebody opens what needs it. */
  isLater: boolean
  kb: number
  brotliKb: number
}

/** Weighs the scripts that the page names and their static imports, and then the scripts that those load later. */
async function weigh(folder: string): Promise<Weight[]> {
  const page = await readFile(path.join(folder, 'room.html'), 'utf8')
  const read = (file: string) => readFile(path.join(folder, 'assets', file))
  const first = await reachable(namesIn(page), async (file) => importsOf(String(await read(file))))
  if (first.size === 0) throw new Error('the room page names no script')
  const all = await reachable(first, async (file) => namesIn(String(await read(file))))
  return Promise.all(
    [...all].map(async (file) => {
      const bytes = await read(file)
      const brotliKb = brotliCompressSync(bytes).length / KB
      return { file, isLater: !first.has(file), kb: bytes.length / KB, brotliKb }
    }),
  )
}

async function reachable(
  from: Iterable<string>,
  next: (file: string) => Promise<string[]>,
): Promise<Set<string>> {
  const found = new Set(from)
  // A set iterates in insertion order, so names added during the loop are visited, too.
  for (const file of found) for (const name of await next(file)) found.add(name)
  return found
}

/** The names of scripts in a text. The build puts all scripts into one folder and a hash into every name. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/["'`/]([\w-]+-[\w-]{8}\.js)["'`]/g)].flatMap(([, name]) => name ?? [])
}

/** The static imports only, without `import()`. */
function importsOf(script: string): string[] {
  return [...script.matchAll(/\b(?:from|import)\s*["']\.\/([\w-]+-[\w-]{8}\.js)["']/g)].flatMap(
    ([, name]) => name ?? [],
  )
}
