import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { loadConfig } from './config.ts'

const misspelledIn = (env: Record<string, string>) =>
  loadConfig({ ...TEST_ENVIRONMENT, ...env }).misspelled

test.each([
  ['LIVEKIT_PUBLC_URL', 'LIVEKIT_PUBLIC_URL'],
  ['RECONCILE_EVERY_SECS', 'RECONCILE_EVERY_SEC'],
  ['OPERATION_PORT', 'OPERATIONS_PORT'],
  ['METRICS-TOKEN', 'METRICS_TOKEN'],
  ['TRSUT_PROXY', 'TRUST_PROXY'],
  ['trust_proxy', 'TRUST_PROXY'],
  ['S3_BUCKETS', 'S3_BUCKET'],
])('%s is found, and what was meant: %s', (given, meant) => {
  expect(misspelledIn({ [given]: 'x' })).toEqual([
    `${given} is no setting and has no effect; ${meant} is one`,
  ])
})

test('no setting is taken for another one, and no variable of anybody else', () => {
  const example = readFileSync(
    path.resolve(import.meta.dirname, '../../../../.env.example'),
    'utf8',
  )
  const lines = [...example.matchAll(/^#([A-Z][A-Z0-9_]+)=(.+)$/gm)]
  expect(lines.length).toBeGreaterThan(60)
  const settings = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
  const others = { HOSTNAME: 'a', SHELL: '/bin/sh', HTTP_PROXY: 'http://a', LIVEKIT_KEYS: 'a: b' }
  // What belongs to a bucket is not read without one.
  expect(misspelledIn({ ...settings, ...others, S3_BUCKET: '' })).toEqual([])
  expect(misspelledIn({ ...settings, ...others, S3_BUCKET: 'files' })).toEqual([])
})
