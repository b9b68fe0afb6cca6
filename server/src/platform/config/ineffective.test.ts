import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { loadConfig } from './config.ts'

const ineffectiveIn = (env: Record<string, string>) =>
  loadConfig({ ...TEST_ENVIRONMENT, ...env }).ineffective

test.each([
  ['LIVEKIT_PUBLC_URL', 'LIVEKIT_PUBLIC_URL'],
  ['RECONCILE_EVERY_SECS', 'RECONCILE_EVERY_SEC'],
  ['OPERATION_PORT', 'OPERATIONS_PORT'],
  ['METRICS-TOKEN', 'METRICS_TOKEN'],
  ['TRSUT_PROXY', 'TRUST_PROXY'],
  ['trust_proxy', 'TRUST_PROXY'],
  ['S3_BUCKETS', 'S3_BUCKET'],
])('%s is found, and what was meant: %s', (given, meant) => {
  expect(ineffectiveIn({ [given]: 'x' })).toEqual([
    `${given} is no setting and has no effect; ${meant} is one`,
  ])
})

test('takes no setting for another one, and no foreign variable for a setting', () => {
  const example = readFileSync(
    path.resolve(import.meta.dirname, '../../../../.env.example'),
    'utf8',
  )
  const lines = [...example.matchAll(/^#([A-Z][A-Z0-9_]+)=(.+)$/gm)]
  expect(lines.length).toBeGreaterThan(60)
  const settings = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
  const others = { HOSTNAME: 'a', SHELL: '/bin/sh', HTTP_PROXY: 'http://a', LIVEKIT_KEYS: 'a: b' }
  // Settings of a bucket are not read without one.
  expect(ineffectiveIn({ ...settings, ...others, S3_BUCKET: '' })).toEqual([])
  const ofBucket = { S3_BUCKET: 'files', STORAGE_DIR: '' }
  expect(ineffectiveIn({ ...settings, ...others, ...ofBucket })).toEqual([])
})

test('a folder beside a bucket is named: nothing is stored there', () => {
  expect(ineffectiveIn({ S3_BUCKET: 'files', STORAGE_DIR: '/srv/files' })).toEqual([
    'STORAGE_DIR has no effect: files are in the bucket of S3_BUCKET',
  ])
})
