/**
 * A rule of the linter for pages: text beside anything that changes stands in an element of its own.
 *
 * A browser's translator moves words into elements that React does not know. If React then inserts or removes something beside
 * them, it fails and the page is lost; if it changes the words, the old ones stay visible. An element of its own keeps both
 * apart, because React replaces the whole content of an element that holds only text.
 */

interface Node {
  type: string
  [property: string]: unknown
}

interface Context {
  report: (problem: { node: Node; message: string }) => void
}

/** Names of variables and functions that give elements, never text. Constants give elements, too. */
const SLOTS =
  /^(?:children|actions?|aside|dialogs|filters|footer|layer|notice|ownTools|tools|content|iconOf|[A-Z][A-Z_]*)$/

/** Names of dictionaries and their words, which stay the same while an element is there. */
const FIXED = /^(?:text|label)$/

const ELEMENT = new Set(['JSXElement', 'JSXFragment'])

type Kind = 'nothing' | 'element' | 'fixed text' | 'changing text'

interface Child {
  kind: Kind
  /** It appears and disappears. */
  isConditional: boolean
}

const MESSAGE =
  'Put this text into an element of its own: beside something that changes, a translated page breaks or shows old words.'

function childOf(node: Node): Child {
  if (node.type === 'JSXText') {
    return {
      kind: /\S/.test(String(node['value'])) ? 'fixed text' : 'nothing',
      isConditional: false,
    }
  }
  if (node.type !== 'JSXExpressionContainer') return { kind: 'element', isConditional: false }
  return valueOf(node['expression'] as Node)
}

function valueOf(node: Node): Child {
  const part = (name: string) => valueOf(node[name] as Node)
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'ChainExpression':
      return part('expression')
    case 'JSXEmptyExpression':
      return { kind: 'nothing', isConditional: false }
    case 'LogicalExpression':
      return node['operator'] === '&&'
        ? { kind: part('right').kind, isConditional: true }
        : either(part('left'), part('right'))
    case 'ConditionalExpression':
      return either(part('consequent'), part('alternate'))
    case 'Literal':
      // A translator leaves spaces alone.
      return typeof node['value'] === 'string' && /\S/.test(node['value'])
        ? { kind: 'fixed text', isConditional: false }
        : { kind: 'nothing', isConditional: false }
    default:
      return { kind: kindOf(node), isConditional: isList(node) }
  }
}

/** One of two: it is conditional if they differ in kind or in element, because React then replaces one by the other. */
function either(one: Child, other: Child): Child {
  const kinds = [one.kind, other.kind]
  if (!kinds.includes('element') && !kinds.includes('nothing')) {
    return { kind: 'changing text', isConditional: false }
  }
  const text = kinds.find((kind) => kind.endsWith('text'))
  return { kind: text === undefined ? 'element' : 'changing text', isConditional: true }
}

function kindOf(node: Node): Kind {
  if (ELEMENT.has(node.type) || isList(node)) return 'element'
  if (node.type === 'Identifier') {
    const name = String(node['name'])
    if (SLOTS.test(name)) return 'element'
    return FIXED.test(name) ? 'fixed text' : 'changing text'
  }
  if (node.type === 'CallExpression' && kindOf(node['callee'] as Node) === 'element')
    return 'element'
  if (node.type !== 'MemberExpression') return 'changing text'
  const { name } = node['property'] as { name?: string }
  if (SLOTS.test(String(name))) return 'element'
  return node['computed'] === true ? 'changing text' : kindOf(node['object'] as Node)
}

/** A call of `map` gives a list of elements. */
function isList(node: Node): boolean {
  const callee = node['callee'] as (Node & { property?: { name?: string } }) | undefined
  return node.type === 'CallExpression' && callee?.property?.name === 'map'
}

/** One of two elements in the same place: React may keep the element, and exchange what is in it. */
function isAlternative(element: Node): boolean {
  let parent = element['parent'] as Node
  while (parent.type === 'ParenthesizedExpression') parent = parent['parent'] as Node
  return parent.type === 'ConditionalExpression' && valueOf(parent).kind === 'element'
}

function check(element: Node, context: Context): void {
  const children = (element['children'] as Node[])
    .map((node) => ({ node, ...childOf(node) }))
    .filter(({ kind }) => kind !== 'nothing')
  if (children.length < 2) return
  const isBesideCondition =
    isAlternative(element) || children.some(({ isConditional }) => isConditional)
  for (const { node, kind } of children) {
    const isRefused = kind === 'changing text' || (kind === 'fixed text' && isBesideCondition)
    if (isRefused) context.report({ node, message: MESSAGE })
  }
}

export default {
  meta: { name: 'pages' },
  rules: {
    'bare-text': {
      create: (context: Context) => ({
        JSXElement: (node: Node) => check(node, context),
        JSXFragment: (node: Node) => check(node, context),
      }),
    },
  },
}
