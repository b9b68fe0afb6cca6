import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Rules that depend on the text of SQL statements, which the folder rules do not read: which files contain SQL, which
 * one writes a table, and which ones read the clock.
 */

/** Folders that contain the database layer itself. */
const OF_THE_DATABASE = 'server/src/platform/db/'
const CLOCK = 'server/src/platform/lib/clock.ts'

const OF_TESTS = /\.test\.ts$|\/testing\//
const STORE = /(^|\/)([a-z-]+-)?store\.ts$/
const TEMPLATE = /`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g
const STATEMENT =
  /^[`']\s*(?:--.*\n\s*)*\(?\s*(select|insert|update|delete|with|lock|merge|truncate)\b/i
const ON_TABLES = /\b(from|into|join|truncate|table)\s+"?[a-z_]{3,}|\bupdate\s[\s\S]*\sset\b/i
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--).*/gm
const WRITE =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_]{3,})\b/gi
/**
 * Words that follow `update` without naming a table: `for update of r`, `do update set`, `for no key update skip
 * locked`.
 */
const NOT_A_TABLE = new Set(['set', 'skip', 'nowait'])
/** Every way to read the time of day. `performance.now()` measures durations, so it is allowed. */
const READS_CLOCK = new RegExp(
  [
    String.raw`\bnew\s+(?:globalThis\.)?Date\b(?!\s*\(\s*[^\s)])`,
    String.raw`(?<!\bnew\s+(?:globalThis\.)?)\bDate\s*\(`,
    String.raw`\bDate\s*(?:\?\.|\.)\s*now\b`,
    String.raw`\bDate\s*(?:\?\.)?\[`,
    String.raw`\}\s*=\s*(?:globalThis\.)?Date\b`,
    String.raw`\bperformance\.timeOrigin\b`,
    String.raw`\bTemporal\.Now\b`,
  ].join('|'),
)

/** Takes the source files by path, and returns the problems in words. */
export function sqlProblems(files: ReadonlyMap<string, string>): string[] {
  const problems: string[] = []
  const writers = new Map<string, Set<string>>()
  for (const [file, text] of files) {
    const statements = statementsIn(text)
    if (statements.length > 0 && !STORE.test(file) && !file.startsWith(OF_THE_DATABASE)) {
      problems.push(`${file} holds SQL, which belongs into a store`)
    }
    if (READS_CLOCK.test(text.replaceAll(COMMENT, '')) && file !== CLOCK) {
      problems.push(`${file} reads the clock, which only ${CLOCK} does`)
    }
    const folder = file.slice(0, file.lastIndexOf('/'))
    for (const table of tablesWritten(text)) {
      writers.set(table, (writers.get(table) ?? new Set()).add(folder))
    }
  }
  for (const [table, folders] of writers) {
    if (folders.size < 2) continue
    problems.push(
      `${table} is written in ${[...folders].toSorted().join(' and ')}: a table has one owner`,
    )
  }
  return problems
}

function statementsIn(text: string): string[] {
  const templates = text.match(TEMPLATE) ?? []
  return templates.filter((each) => STATEMENT.test(each) && ON_TABLES.test(each))
}

/** Searches the whole text, because a backtick does not mark the end of a statement with a nested one. */
function tablesWritten(text: string): string[] {
  const written = text.replaceAll(COMMENT, '').matchAll(WRITE)
  const tables = [...written].map(([, table]) => table?.toLowerCase() ?? '')
  return tables.filter((table) => !NOT_A_TABLE.has(table))
}

/** Reads the product's source files from disk. */
function readSources(root: string): Map<string, string> {
  const files = globSync('server/src/**/*.ts', { cwd: root }).filter((file) => !OF_TESTS.test(file))
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
}

if (import.meta.main) {
  const problems = sqlProblems(readSources(path.resolve(import.meta.dirname, '..')))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
