import { findFonts } from '@interview-room/composer/fonts.ts'
import { expect, test } from 'vitest'
import { checkFonts, checkOpenFiles } from './machine-checks.ts'

const ALL = { latin: 'a.ttf', eastAsian: 'b.ttc', thai: 'c.ttf', rightToLeft: 'a.ttf' }

test('a machine on which every name can be written into a recording is fit', async () => {
  expect(await checkFonts({ role: 'worker' }, () => ALL)).toMatchObject({ result: 'ok' })
})

test('reports missing fonts, with the effect on recordings and the packages to install', async () => {
  const found = await checkFonts({ role: 'all' }, () => findFonts(['/nowhere']))
  expect(found).toMatchObject({ check: 'machine:fonts', result: 'warn' })
  for (const name of ['fonts-noto-cjk', 'fonts-dejavu-core', 'fonts-thai-tlwg']) {
    expect(found.detail).toContain(name)
  }
  const one = await checkFonts({ role: 'all' }, () => ({ ...ALL, eastAsian: undefined }))
  expect(one.detail).toContain('Japanese')
  expect(one.detail).not.toContain('Latin')
})

test('a process that draws nothing needs no font', async () => {
  const found = await checkFonts({ role: 'api' }, () => findFonts(['/nowhere']))
  expect(found.result).toBe('skipped')
})

test.each([
  ['256', 'warn'],
  ['1024', 'warn'],
  ['4096', 'ok'],
  ['unlimited', 'ok'],
])('a process that may open %s files: %s', async (soft, result) => {
  const limits = `Limit  Soft Limit  Hard Limit  Units\nMax open files   ${soft}  1048576  files\n`
  const found = await checkOpenFiles(() => Promise.resolve(limits))
  expect(found).toMatchObject({ check: 'machine:openFiles', result })
  expect(found.detail).toContain(soft)
})

test('the limit of this process is read', async () => {
  expect((await checkOpenFiles()).detail).toMatch(/^(\d+|unlimited) files/)
})
