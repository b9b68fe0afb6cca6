import { expect, test } from 'vitest'
import { typedName } from './typed-name.ts'

test.each([
  ['Sato', 'Sato'],
  [' Sato  Hanako ', 'Sato Hanako'],
  ['山田\t太郎', '山田 太郎'],
  ['Sa\u0000to\n', 'Sa to'],
  ['e\u0301', '\u00e9'],
  ['👩‍👧', '👩‍👧'],
  ['\u3000 \u200b\u2060', undefined],
  ['', undefined],
])('%j is the name %j', (typed, name) => {
  expect(typedName(typed)).toBe(name)
})
