import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from './platform/config/config.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = [
  ...globSync('server/src/platform/config/*-config.ts', { cwd: ROOT }),
  'server/src/platform/config/config.ts',
  'server/src/local/local-environment.ts',
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

const NEEDED = {
  DATABASE_URL: 'postgresql://127.0.0.1/interviews',
  PUBLIC_URL: 'http://127.0.0.1:3000',
  LIVEKIT_URL: 'http://127.0.0.1:7880',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret-of-at-least-32-characters!',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
}
const RECORDER = { LIVEKIT_EGRESS_URL: 'http://127.0.0.1:7890' }

test.each([
  ["LiveKit's own egress", {}, false],
  ['a recorder of ours', RECORDER, true],
  ['a recorder whose videos are wanted', { ...RECORDER, RECORDING_FROM_CAPTURES: 'false' }, false],
])('recordings are composed from captures of %s: %j', (_what, env, isExpected) => {
  expect(loadConfig({ ...NEEDED, ...env }).recordings.fromCaptures).toBe(isExpected)
})
