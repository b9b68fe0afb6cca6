import { readFile } from 'node:fs/promises'
import { findFonts } from '@interview-room/composer/fonts.ts'
import { expect, test } from 'vitest'
import { checkFonts, checkOpenFiles } from './machine-checks.ts'

const ALL = { latin: 'a.ttf', eastAsian: 'b.ttc', thai: 'c.ttf', rightToLeft: 'a.ttf' }

test('finds nothing on a machine on which every name can be written into a recording', () => {
  expect(checkFonts(ALL)).toBeUndefined()
})

test('reports missing fonts, with the effect on recordings and the packages to install', () => {
  const found = checkFonts(findFonts(['/nowhere']))
  expect(found).toMatchObject({ result: 'warn' })
  for (const name of ['fonts-noto-cjk', 'fonts-dejavu-core', 'fonts-thai-tlwg']) {
    expect(found?.detail).toContain(name)
  }
  const one = checkFonts({ ...ALL, eastAsian: undefined })
  expect(one?.detail).toContain('Japanese')
  expect(one?.detail).not.toContain('Latin')
})

test.each([
  ['256', 'warn'],
  ['1024', 'warn'],
  ['4096', 'ok'],
  ['unlimited', 'ok'],
])('a process that may open %s files: %s', (soft, result) => {
  const limits = `Limit  Soft Limit  Hard Limit  Units\nMax open files   ${soft}  1048576  files\n`
  const found = checkOpenFiles(limits)
  expect(found).toMatchObject({ result })
  expect(found.detail).toContain(soft)
})

test.skipIf(process.platform !== 'linux')('reads the limit of this process', async () => {
  const limits = await readFile('/proc/self/limits', 'utf8')
  expect(checkOpenFiles(limits).detail).toMatch(/^(\d+|unlimited) files/)
})
