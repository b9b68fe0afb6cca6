import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The rule of the style guide that a program can check: a comment starts with a noun, a verb or a condition. A first word that
 * begins a relative clause or a possessive leaves the reader without a subject.
 */

const REFUSED = ['What', 'Who', 'Whose', 'Of', 'Those', 'Behind', 'Whether', 'Where']

/** The patterns of a comment's first line. Continued lines do not match. */
const FIRST_LINES = [
  /\/\*+\s*(?:\*\s*)?(?<words>\S.*)/g,
  /(?<=^|\n)(?![ \t]*(?:\/\/|--|#))[^\n]*\n[ \t]*(?:\/\/|--|#)[ \t]*(?<words>\S.*)/g,
  /(?<=[^\s:'"`/][ \t])\/\/[ \t]*(?<words>\S.*)/g,
]

const FOLDERS = 'contract,sdk,composer,media-server,server,web,e2e,bench,scripts'
/** Migrations are never changed once they are released. The test of this rule quotes what it refuses. */
const NOT_JUDGED = /(^|\/)(?:node_modules|dist|migrations|comment-rules\.test\.ts)(\/|$)/

/** The comments of a source file that start as a fragment, each with its line. */
export function commentProblems(text: string): { line: number; comment: string }[] {
  const starts = new RegExp(String.raw`^(?:${REFUSED.join('|')})\b`)
  const source = `\n${text}`
  const problems = FIRST_LINES.flatMap((pattern) =>
    [...source.matchAll(pattern)].flatMap((match) => {
      const words = match.groups?.['words'] ?? ''
      const before = source.slice(0, match.index + match[0].length)
      return starts.test(words) ? [{ line: before.split('\n').length - 1, comment: words }] : []
    }),
  )
  return problems.toSorted((one, other) => one.line - other.line)
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..')
  const pattern = process.argv[2] ?? `{${FOLDERS}}/**/*.{ts,tsx,mjs,js,css,py,sh}`
  const files = globSync(pattern, { cwd: root }).filter((file) => !NOT_JUDGED.test(file))
  for (const file of files) {
    for (const { line, comment } of commentProblems(readFileSync(path.join(root, file), 'utf8'))) {
      process.stderr.write(`${file}:${line} starts as a fragment: ${comment}\n`)
      process.exitCode = 1
    }
  }
}
