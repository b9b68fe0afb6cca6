import { beforeEach, expect, test, vi } from 'vitest'
import { restrictMarkup, RULES } from './trusted-types.ts'

beforeEach(() => {
  vi.stubGlobal('location', new URL('http://localhost:3000/r/1'))
})

test('becomes the default policy of a browser that has them, and nothing elsewhere', () => {
  const created: unknown[] = []
  restrictMarkup({ trustedTypes: { createPolicy: (...policy) => created.push(policy) } })
  expect(created).toEqual([['default', RULES]])
  expect(() => restrictMarkup({})).not.toThrow()
})

test('lets an element be emptied, and refuses markup', () => {
  expect(RULES.createHTML('')).toBe('')
  expect(RULES.createHTML('<img src=x onerror=alert(1)>')).toBeNull()
})

test.each([
  ['/assets/pdf.worker.min.mjs', true],
  ['blob:http://localhost:3000/0b8c', true],
  ['https://evil.example/worker.js', false],
  ['data:text/javascript,alert(1)', false],
])('judges the script %s', (url, isTaken) => {
  expect(RULES.createScriptURL(url)).toBe(isTaken ? url : null)
})
