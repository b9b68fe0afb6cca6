import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = [
  'server/src/platform/config/config.ts',
  'server/src/local/local-environment.ts',
  'server/src/platform/config/transcription-config.ts',
]

test('.env.example names every setting', () => {
  const example = readFileSync(path.join(ROOT, '.env.example'), 'utf8')
  const named = new Set(
    example.match(/^#?[A-Z][A-Z0-9_]+(?==)/gm)?.map((name) => name.replace('#', '')),
  )
  const read = SOURCES.flatMap((source) =>
    [...readFileSync(path.join(ROOT, source), 'utf8').matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(
      ([, name]) => name,
    ),
  )
  expect(read.length).toBeGreaterThan(30)
  expect(read.filter((name) => !named.has(name ?? ''))).toEqual([])
})
