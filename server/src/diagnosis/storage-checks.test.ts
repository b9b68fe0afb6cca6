import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { runChecks } from '../platform/checks/check.ts'
import { loadConfig } from '../platform/config/config.ts'
import { systemClock } from '../platform/lib/clock.ts'
import type { Storage } from '../platform/ports/storage.ts'
import { S3_TIMEOUTS } from '../platform/storage/s3/s3-client.ts'
import { createS3Storage } from '../platform/storage/s3/s3-storage.ts'
import { startTestS3, type TestS3 } from '../platform/storage/testing/s3-server.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { newKey, STORAGE_CHECKS } from './storage-checks.ts'

let s3: TestS3
beforeAll(async () => {
  s3 = await startTestS3()
})
afterEach(() => {
  s3.fault = undefined
})
afterAll(() => s3.close())

function checkStorage(storage: Storage) {
  const config = loadConfig({ ...TEST_ENVIRONMENT, S3_BUCKET: 'bucket' })
  return runChecks(STORAGE_CHECKS, { storage, config, stored: newKey(), uploaded: newKey() }, 5_000)
}

async function findingFor(changes: Partial<TestS3['config']>): Promise<string | undefined> {
  const timeouts = { ...S3_TIMEOUTS, smallAnswer: 100, small: 300 }
  const storage = createS3Storage({ ...s3.config, ...changes }, systemClock, timeouts)
  const [put] = await checkStorage(storage)
  expect(put).toMatchObject({ check: 'storage:put', result: 'fail' })
  return put?.detail
}

test.each<[what: string, changes: Partial<TestS3['config']>, words: RegExp]>([
  ['a bucket that is not there', { bucket: 'another' }, /^S3_BUCKET names no bucket that is there/],
  ['a wrong key', { accessKeyId: 'nobody' }, /^the storage refuses the access key or its rights/],
  ['nobody there', { endpoint: 'http://127.0.0.1:1' }, /^nothing answers at S3_ENDPOINT/],
  [
    'a name that nobody knows',
    { endpoint: 'http://nobody.invalid' },
    /^the name in S3_ENDPOINT cannot be resolved/,
  ],
])('%s is said in words', async (_what, changes, words) => {
  expect(await findingFor(changes)).toMatch(words)
})

test('a storage that is silent is said in words', async () => {
  s3.fault = () => 'silence'
  expect(await findingFor({})).toMatch(/^no answer comes from S3_ENDPOINT \(/)
})

test.each([
  ['lasting ones', undefined, 'ok'],
  ['those of a role, which end', 'a token', 'warn'],
])('the keys that an egress gets are judged: %s', async (_what, sessionToken, result) => {
  const storage = createS3Storage(s3.config, systemClock)
  const checks = await checkStorage({
    ...storage,
    egressOutput: async (key) => ({ ...(await storage.egressOutput(key)), sessionToken }),
  })
  expect(checks.find(({ check }) => check === 'storage:egressKeys')).toMatchObject({ result })
})
