import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CHECKS } from './diagnose.ts'

const page = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../../../docs', name), 'utf8')

test('every check needs only checks earlier in the list', () => {
  const checks = CHECKS.filter(({ when }) => when?.doctor !== false)
  const asked = checks.map(({ name }) => name)
  for (const [at, { name, when }] of checks.entries()) {
    expect([name, asked.indexOf(name)]).toEqual([name, at])
    const later = (when?.needs ?? []).filter((each) => !asked.slice(0, at).includes(each))
    expect([name, later]).toEqual([name, []])
  }
})

test('every check of readiness has one name, a line in Operations and a section in the runbook', () => {
  const names = CHECKS.filter(({ when }) => when?.readiness).map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names.filter((name) => !page('operations.md').includes(`| \`${name}\` `))).toEqual([])
  expect(names.filter((name) => !page('runbook.md').includes(`### ${name}\n`))).toEqual([])
})
