import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'vitest/node'

/** A rule of the contract, stated in a comment above the test that proves it. */
export interface ContractTag {
  /** Operation ids, or a section of the contract; see `CHAPTERS` of `coverage-page.ts`. */
  sections: readonly string[]
  rule: string
  file: string
  line: number
  /** `describe › test`, with the placeholders of the source. */
  title: string
}

export interface TagsFound {
  tags: readonly ContractTag[]
  /** One sentence for each problem: a tag that is not above a test, or a tag without a rule. */
  problems: readonly string[]
}

const TAG = /^\s*\/\/ contract: (?<text>.*)$/
const LIKE_A_TAG = /^\s*\/\/\s*contract\s*[:›]/i
/** A long tag continues on the next line, with an indent. */
const CONTINUED = /^\s*\/\/ {3,}(?<text>\S.*)$/
const COMMENT = /^\s*\/\//

export function readContractTags(root: string): TagsFound {
  const files = globSync('*/{src,test}/**/*.test.{ts,tsx}', { cwd: root }).toSorted()
  const found = files.map((file) => tagsIn(file, readFileSync(path.join(root, file), 'utf8')))
  return {
    tags: found.flatMap(({ tags }) => tags),
    problems: found.flatMap(({ problems }) => problems),
  }
}

export function tagsIn(file: string, source: string): TagsFound {
  const tags: ContractTag[] = []
  const problems: string[] = []
  const lines = source.split('\n')
  const hasTags = lines.some((each) => LIKE_A_TAG.test(each))
  const tests = hasTags ? testsIn(file, source) : new Map<number, string>()

  for (const [index, line] of lines.entries()) {
    if (!LIKE_A_TAG.test(line)) continue
    const place = `${file}:${index + 1}`
    const first = TAG.exec(line)?.groups?.['text'] ?? ''
    const [sections, rule] = splitTag([first, ...continuationOf(lines, index)].join(' '))
    const tested = lines.findIndex((each, at) => at > index && !COMMENT.test(each))
    const title = tests.get(tested + 1)
    if (title === undefined) problems.push(`${place} stands above no test`)
    else if (rule === '') problems.push(`${place} is not "// contract: section › rule"`)
    else tags.push({ sections, rule, file, line: tested + 1, title })
  }
  return { tags, problems }
}

function continuationOf(lines: readonly string[], index: number): string[] {
  const text = CONTINUED.exec(lines[index + 1] ?? '')?.groups?.['text']
  return text === undefined ? [] : [text, ...continuationOf(lines, index + 1)]
}

function splitTag(text: string): [sections: string[], rule: string] {
  const [sections = '', ...rule] = text.split(' › ')
  return [sections.split(', '), rule.join(' › ').trim()]
}

type Node = Record<string, unknown> & { start: number; end: number }

/** The tests and `describe` blocks of a file: line -> title. */
function testsIn(file: string, source: string): Map<number, string> {
  const found = new Map<number, string>()

  function visit(node: unknown, outer: readonly string[]): void {
    if (Array.isArray(node)) for (const each of node) visit(each, outer)
    else if (isNode(node)) visitNode(node, outer)
  }

  function visitNode(node: Node, outer: readonly string[]): void {
    const name = calledName(node)
    const [first, ...rest] = (node['arguments'] ?? []) as unknown[]
    const title = name === undefined ? undefined : textOf(first, source)
    if (title === undefined) return visit(Object.values(node), outer)
    const titles = [...outer, title]
    found.set(source.slice(0, node.start).split('\n').length, titles.join(' › '))
    if (name === 'describe') visit(rest, titles)
  }

  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body, [])
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** `test` for `test(...)` and `test.each(...)(...)`. Undefined for a skipped test. */
function calledName(node: Node): 'describe' | 'test' | undefined {
  if (node['type'] !== 'CallExpression') return undefined
  let callee: unknown = node['callee']
  while (isNode(callee) && callee['type'] !== 'Identifier') {
    if (isNode(callee['property']) && callee['property']['name'] !== 'each') return undefined
    callee = callee['object'] ?? callee['callee']
  }
  const name = isNode(callee) ? callee['name'] : undefined
  return name === 'describe' || name === 'test' ? name : undefined
}

/** The value of a string literal, or the source text of a template. */
function textOf(node: unknown, source: string): string | undefined {
  if (!isNode(node)) return undefined
  if (node['type'] === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1)
  return typeof node['value'] === 'string' ? node['value'] : undefined
}
