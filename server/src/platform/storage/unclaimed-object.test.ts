import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createFakeStorage } from '../../testing/fake-storage.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { SOON } from '../../testing/wait-for.ts'
import { inTransaction } from '../db/db.ts'
import type { Storage } from '../ports/storage.ts'
import { deleteObjectsJob } from './delete-objects.job.ts'
import { claimObject, putExpected } from './unclaimed-object.ts'

const MINUTE_MS = 60_000
const KEY = 'tenant/recordings/object'
const MIME = 'video/mp4'
const LIFE_MIN = 60
const STEP_MIN = 20
/** The amount that streams buffer between two readers. */
const CHUNK_BYTES = 64 * 1024

let database: TestDatabase
let now: Date
const clock = () => now
const storage = createFakeStorage(clock)
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  now = new Date('2030-01-01T00:00:00Z')
  await database.db`delete from jobs`
})

const deps = () => ({ db: database.db, clock, storage })

/** The minutes until the object is deleted unless it is claimed. */
async function minutesLeft(): Promise<number | undefined> {
  const [job] = await database.db<{ at: Date }[]>`
    select due_at as at from jobs where kind = 'delete-objects'
  `
  return job && (job.at.getTime() - now.getTime()) / MINUTE_MS
}

test('an object that takes hours to store is not given up meanwhile, and can be claimed', async () => {
  const left: number[] = []
  const slow: Storage['put'] = async (_key, body) => {
    let sizeBytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      now = new Date(now.getTime() + STEP_MIN * MINUTE_MS)
      left.push((await minutesLeft()) ?? 0)
    }
    return { sizeBytes }
  }
  const chunks = Array.from({ length: 12 }, () => Buffer.alloc(CHUNK_BYTES))
  const body = Readable.from(chunks)
  const slowly = { ...deps(), storage: { ...storage, put: slow } }
  const { sizeBytes } = await putExpected(slowly, KEY, { body, mime: MIME })
  expect(sizeBytes).toBe(chunks.length * CHUNK_BYTES)
  expect(left.filter((minutes) => minutes <= 0)).toEqual([])
  await inTransaction(database.db, (tx) => claimObject(tx, KEY))
  expect(await minutesLeft()).toBeUndefined()
})

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('bytes')
  throw new Error('the source is gone')
}

test('throws the error of an object’s stream, and keeps the order to delete it', async () => {
  const body = Readable.from(broken())
  await expect(putExpected(deps(), KEY, { body, mime: MIME })).rejects.toThrow('the source is gone')
  expect(body.destroyed).toBe(true)
  expect(await minutesLeft()).toBe(LIFE_MIN)
})

test('a stream that the storage does not take is destroyed', async () => {
  const body = Readable.from([Buffer.from('bytes')])
  const refusing = { ...storage, put: () => Promise.reject(new Error('the storage is down')) }
  const putting = putExpected({ ...deps(), storage: refusing }, KEY, { body, mime: MIME })
  await expect(putting).rejects.toThrow('the storage is down')
  await vi.waitFor(() => expect(body.destroyed).toBe(true), SOON)
})

test.each([
  ['a storage that never gets a row is emptied', 1, false],
  ['an order of a restored database leaves the object to the sweep', 3, true],
])('%s', async (_what, hours, isKept) => {
  await putExpected(deps(), KEY, { body: Readable.from(['bytes']), mime: MIME })
  now = new Date(now.getTime() + hours * LIFE_MIN * MINUTE_MS)
  await runJobs(database.db, deleteObjectsJob(deps()))
  expect(storage.objects.has(KEY)).toBe(isKept)
})
