import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadEnvFile } from './env-file.ts'

const NAMES = [
  'ENV_TEST_FIRST',
  'ENV_TEST_QUOTED',
  'ENV_TEST_SPACED',
  'ENV_TEST_GIVEN',
  'ENV_TEST_CUT',
]
let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'interview-room-env-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
  for (const name of NAMES) delete process.env[name]
})

test('a file of any editor is read: a mark at its start, CRLF, quotes, spaces, comments', () => {
  const lines = [
    '\uFEFFENV_TEST_FIRST=1',
    '# a comment',
    'ENV_TEST_QUOTED="a # b"',
    ' export ENV_TEST_SPACED = c ',
    'ENV_TEST_GIVEN=of the file',
    'ENV_TEST_CUT=pass#word',
    '',
  ]
  writeFileSync(path.join(folder, '.env'), lines.join('\r\n'))
  process.env['ENV_TEST_GIVEN'] = 'of the environment'
  loadEnvFile(folder)
  const found = NAMES.map((name) => process.env[name])
  // Without quotes a # begins a comment, as .env.example says.
  expect(found).toEqual(['1', 'a # b', 'c', 'of the environment', 'pass'])
})

test('no file is no problem; one that cannot be read is named, and why', () => {
  loadEnvFile(folder)
  mkdirSync(path.join(folder, '.env'))
  expect(() => loadEnvFile(folder)).toThrow(`${path.join(folder, '.env')} cannot be read (EISDIR)`)
})
