import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Checks what a program can check in the documentation: links and anchors resolve, files and commands exist, lines
 * and table cells stay short, and the index lists every page.
 */

const LINE_MAX = 160
const CELL_MAX = 200
const INDEX = 'docs/README.md'

/** Files that a command writes and Git ignores. */
const GENERATED = /^(?:docs\/contract-coverage\.md|web\/dist|data(?:\/.*)?)$/

const SOURCE_FILE = /\.(?:ts|tsx|mjs|py|sql|css|md|json|html)$/
const PLACEHOLDER = /[*<>{}…$\s]/

export interface Repository {
  /** Every file and folder, by its path from the root. */
  paths: ReadonlySet<string>
  /** Scripts of the root and of its workspaces. */
  scripts: ReadonlySet<string>
}

/** Adds the bare file names, for text that names a file without its folder. */
interface PathIndex extends Repository {
  names: ReadonlySet<string>
}

type Pages = ReadonlyMap<string, string>

/** Takes the Markdown pages by path, and returns the problems with page and line. */
export function docsProblems(pages: Pages, repository: Repository): string[] {
  const names = new Set([...repository.paths].map((each) => path.posix.basename(each)))
  const written = [...pages].filter(([page]) => !GENERATED.test(page))
  const problems = written.flatMap(([page, text]) =>
    linesOf(text).flatMap((line) =>
      lineProblems({ page, line, pages, repository: { ...repository, names } }).map(
        (problem) => `${page}:${line.number} ${problem}`,
      ),
    ),
  )
  return [...problems, ...indexProblems(pages)]
}

function lineProblems({
  page,
  line: { line, kind },
  pages,
  repository,
}: {
  page: string
  line: Line
  pages: Pages
  repository: PathIndex
}): string[] {
  if (kind === 'code') return scriptProblems(line, repository)
  return [
    ...linkProblems({ page, line, pages, repository }),
    ...pathProblems(page, line, repository),
    ...scriptProblems(line, repository),
    ...(kind === 'table' ? cellProblems(line) : lengthProblems(line)),
  ]
}

interface Line {
  number: number
  line: string
  kind: 'text' | 'table' | 'code'
}

function linesOf(text: string): Line[] {
  let isFenced = false
  return text.split('\n').map((line, at) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isFenced = !isFenced
    const kind = isFenced || isFence ? 'code' : /^\s*\|/.test(line) ? 'table' : 'text'
    return { number: at + 1, line, kind }
  })
}

function linkProblems({
  page,
  line,
  pages,
  repository,
}: {
  page: string
  line: string
  pages: Pages
  repository: Repository
}): string[] {
  return linksIn(line).flatMap((target) => {
    const [file = '', anchor] = target.split('#')
    const linked = file === '' ? page : path.posix.join(path.posix.dirname(page), file)
    if (!repository.paths.has(linked.replace(/\/$/, '')))
      return [`links to ${target}: no such file`]
    const text = pages.get(linked)
    if (anchor === undefined || text === undefined || anchorsOf(text).has(anchor)) return []
    return [`links to ${target}: no such heading`]
  })
}

/** Links and images with a target in the repository, without those to other sites. */
function linksIn(line: string): string[] {
  const prose = line.replaceAll(/`[^`]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g), ...prose.matchAll(/src="([^"]+)"/g)]
  return targets.map(([, target]) => target ?? '').filter((each) => !/^[a-z]+:/.test(each))
}

/** The anchors that GitHub generates for the headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const { line, kind } of linesOf(text)) {
    const heading = kind === 'text' ? /^#{1,6} +(.*)$/.exec(line)?.[1] : undefined
    if (heading === undefined) continue
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let name = slug
    for (let repeat = 1; anchors.has(name); repeat += 1) name = `${slug}-${repeat}`
    anchors.add(name)
  }
  return anchors
}

/** Checks each path in backticks that starts with a folder of the repository, and each name of a source file. */
function pathProblems(page: string, line: string, { paths, names }: PathIndex): string[] {
  const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? '')
  const candidates = spans.filter((span) => !PLACEHOLDER.test(span) && !/^[/.]{1,2}/.test(span))
  return candidates.flatMap((span) => {
    const named = span.replace(/\/$/, '')
    if (GENERATED.test(named)) return []
    const [top = ''] = named.split('/')
    const isPath = named.includes('/') && (paths.has(top) || SOURCE_FILE.test(named))
    const bases = ['', path.posix.dirname(page), 'server/src', 'web/src']
    if (isPath && !bases.some((base) => paths.has(path.posix.join(base, named)))) {
      return [`names ${span}: no such file`]
    }
    const isFile = !named.includes('/') && /\.(?:ts|tsx|mjs)$/.test(named)
    return isFile && !names.has(named) ? [`names ${span}: no file has this name`] : []
  })
}

function scriptProblems(line: string, { scripts }: Repository): string[] {
  const named = [...line.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(
    ([, name]) => name ?? '',
  )
  return named.filter((name) => !scripts.has(name)).map((name) => `runs ${name}: no such script`)
}

function cellProblems(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  const longest = Math.max(...cells.map((cell) => cell.length))
  return longest > CELL_MAX ? [`has a table cell of ${longest} characters, over ${CELL_MAX}`] : []
}

function lengthProblems(line: string): string[] {
  return line.length > LINE_MAX ? [`has ${line.length} characters, over ${LINE_MAX}`] : []
}

function indexProblems(pages: Pages): string[] {
  const linked = new Set(
    linksIn(pages.get(INDEX) ?? '').map((target) => path.posix.join('docs', target)),
  )
  const listed = [...pages.keys()].filter((page) => page.startsWith('docs/') && page !== INDEX)
  return listed
    .filter((page) => !linked.has(page) && !GENERATED.test(page))
    .map((page) => `${INDEX} does not list ${page}`)
}

/** False for a file that is installed, built or written at run time. */
function isOurs(file: string): boolean {
  return !/(^|\/)(?:node_modules|dist|\.git|data|test-results|coverage)(\/|$)/.test(file)
}

/** Reads the pages and the file list from disk. */
export function readRepository(root: string): { pages: Pages; repository: Repository } {
  const found = globSync(['**/*', '.*', '.{ci,github}/**/*'], {
    cwd: root,
    exclude: (file) => !isOurs(file),
  })
  const paths = new Set(found.map((file) => file.replaceAll(path.sep, '/')))
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const manifests = [...paths].filter((file) => /(^|\/)package\.json$/.test(file))
  const scripts = manifests.flatMap((file) => Object.keys(JSON.parse(read(file)).scripts ?? {}))
  const markdown = [...paths].filter((file) => file.endsWith('.md'))
  return {
    pages: new Map(markdown.map((file) => [file, read(file)])),
    repository: { paths, scripts: new Set(scripts) },
  }
}

if (import.meta.main) {
  const { pages, repository } = readRepository(path.resolve(import.meta.dirname, '..'))
  const problems = docsProblems(pages, repository)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
