import { expect, test } from 'vitest'
import { commentProblems } from '../../scripts/comment-rules.ts'

test.each([
  ['a line', '// Whose worker died says nothing.\n'],
  ['a line after code', 'const a = 1 // Of the running one.\n'],
  ['a line in SQL or Python', 'select 1\n  -- Behind the window.\n'],
  ['a docstring', '/** What is told. */\n'],
  ['a docstring on its second line', '/**\n * Those that wait.\n */\n'],
  ['a comment in JSX', '{/* Where it is shown */}\n'],
])('refuses %s that starts as a fragment', (_where, text) => {
  expect(commentProblems(text)).toHaveLength(1)
})

test('names the line and the comment', () => {
  expect(commentProblems('const a = 1\n\n  // Who is gone.\n')).toEqual([
    { line: 3, comment: 'Who is gone.' },
  ])
})

test.each([
  ['a noun', '// The running recording, oldest segment first.\n'],
  ['a longer word with the same start', '// Official names only. \n/** Offsets in seconds. */\n'],
  ['a line that continues a comment', '// Skip people who have left, and those\n// Who waits.\n'],
  ['an address in a text', "const a = 'https://Whose.example'\n"],
])('accepts %s', (_where, text) => {
  expect(commentProblems(text)).toEqual([])
})
