import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweepObjectsJob } from '../domain/monitoring/sweep-objects.job.ts'
import { countDifferences } from '../platform/storage/differences.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { addRecordedRoom, deleteObjects, jobRun, putObject } from '../testing/recordings.ts'
import { runAdmin } from './run-admin.ts'

const plane = useControlPlane()
const DAY_MS = 24 * 60 * 60 * 1000

async function run(...args: string[]) {
  const { exitCode, stdout } = await runAdmin(['storage', ...args, '--json'], () => ({
    deps: plane.deps,
    close: async () => {},
  }))
  return { exitCode, answer: stdout === '' ? undefined : JSON.parse(stdout) }
}

async function sweepAfter(passedMs: number): Promise<void> {
  plane.now = new Date(plane.now.getTime() + passedMs)
  await sweepObjectsJob(plane.deps).run(jobRun(plane))
  await deleteObjects(plane)
}

const has = (key: string) => plane.storage.objects.has(key)

/** Objects that are newer than every row, as after a restore of an older database. */
let keys: string[]

beforeEach(async () => {
  await addRecordedRoom(plane)
  plane.now = new Date(plane.now.getTime() + DAY_MS)
  keys = Array.from({ length: 2 }, () => `${plane.tenant.tenantId}/recordings/${randomUUID()}.mp4`)
  for (const key of keys) putObject(plane, key, 'x')
  await sweepAfter(0)
})

afterEach(async () => {
  plane.storage.objects.clear()
  await plane.database.db`delete from storage_differences`
  await plane.database.db`delete from recordings`
})

test('lists held objects', async () => {
  const { exitCode, answer } = await run()
  expect(exitCode).toBe(0)
  const held = { state: 'held', found_at: plane.now.toISOString(), kept_at: null, deleted_at: null }
  expect(answer).toEqual(keys.toSorted().map((key) => ({ key, ...held })))
})

test('keeps an object without an alarm, until it is deleted', async () => {
  const [kept = '', other = ''] = keys
  expect(await run('keep', '--key', kept)).toEqual({
    exitCode: 0,
    answer: [{ key: kept, state: 'kept' }],
  })
  await run('delete', '--key', other)
  await sweepAfter(40 * DAY_MS)
  expect([has(kept), has(other)]).toEqual([true, false])
  expect(await countDifferences(plane.database.db)).toEqual([{ kind: 'kept', count: 1 }])
  await run('delete', '--key', kept)
  await deleteObjects(plane)
  expect(has(kept)).toBe(false)
})

test('deletes every held object at once, except kept ones and those that a row names again', async () => {
  const [kept = '', named = ''] = keys
  const third = `${plane.tenant.tenantId}/recordings/${randomUUID()}.mp4`
  putObject(plane, third, 'x')
  await sweepAfter(0)
  await run('keep', '--key', kept)
  const { recordingId } = await addRecordedRoom(plane)
  const { db } = plane.database
  await db`update recordings set storage_key = ${named} where id = ${recordingId}`
  const { answer } = await run('delete', '--held')
  expect(answer).toEqual([
    { key: third, state: 'deleted' },
    { key: named, state: 'named' },
  ])
  await deleteObjects(plane)
  expect([kept, named, third].map(has)).toEqual([true, true, false])
})

test('reports a key that is not in the list, with exit code 1', async () => {
  const [key = ''] = keys
  expect(await run('delete', '--key', key, 'other')).toEqual({
    exitCode: 1,
    answer: [
      { key, state: 'deleted' },
      { key: 'other', state: 'unknown' },
    ],
  })
})

test.each([[[]], [['--held', '--key', 'x']]])(
  'refuses to guess what is meant with %j',
  async (args) => {
    expect((await run('delete', ...args)).exitCode).toBe(2)
  },
)
