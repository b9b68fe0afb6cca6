import { readFileSync } from 'node:fs'
import { parseAst } from 'vitest/node'

type Node = Record<string, unknown> & { start: number; end: number }

/** The tests of a file as `describe › test`, with the placeholders that stand in the source. */
export function testTitlesOf(path: string): Set<string> {
  const source = readFileSync(path, 'utf8')
  const titles = new Set<string>()

  function visit(node: unknown, outer: readonly string[]): void {
    if (Array.isArray(node)) for (const each of node) visit(each, outer)
    else if (isNode(node)) visitNode(node, outer)
  }

  function visitNode(node: Node, outer: readonly string[]): void {
    const name = calledName(node)
    const [first, ...rest] = (node['arguments'] ?? []) as unknown[]
    const title = name === undefined ? undefined : textOf(first, source)
    if (title === undefined) return visit(Object.values(node), outer)
    if (name === 'describe') return visit(rest, [...outer, title])
    titles.add([...outer, title].join(' › '))
  }

  visit(parseAst(source, { lang: 'ts' }).body, [])
  return titles
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** `test` of `test(...)`, `test.each(...)(...)`; undefined for one that is skipped. */
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

/** A text, or a template as it stands there. */
function textOf(node: unknown, source: string): string | undefined {
  if (!isNode(node)) return undefined
  if (node['type'] === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1)
  return typeof node['value'] === 'string' ? node['value'] : undefined
}
