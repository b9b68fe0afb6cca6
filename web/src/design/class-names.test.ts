import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const SRC = path.resolve(import.meta.dirname, '..')
const IMPORT = /import (\w+) from '(\.[^']+\.module\.css)'/g

/** Class names that a page uses although its style sheet does not define them. No other tool reports that. */
function unknownClassNames(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const code = source.replaceAll(IMPORT, '')
  return [...source.matchAll(IMPORT)].flatMap(([, name = '', sheet = '']) => {
    const css = readFileSync(path.resolve(path.dirname(file), sheet), 'utf8')
    const rules = css.replaceAll(/\/\*.*?\*\//gs, '')
    const known = new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, each]) => each))
    const used = code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))
    return [...used]
      .map(([, each]) => each)
      .filter((each) => each !== undefined && !known.has(each))
      .map((each) => `${path.relative(SRC, file)}: .${each} is not in ${sheet}`)
  })
}

test('every class name of the pages is defined in its style sheet', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('.tsx'))
    .map((each) => path.join(SRC, each))
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap(unknownClassNames)).toEqual([])
})
