import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identifier } from '../../platform/db/db.ts'
import { expectObject } from '../../platform/storage/unclaimed-object.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  addRecordedRoom,
  addRecording,
  deleteObjects,
  jobRun,
  putObject,
} from '../../testing/recordings.ts'
import { divideByName, OBJECT_COLUMNS, OTHER_KEYS } from './named-objects-store.ts'
import { sweepObjectsJob } from './sweep-objects.job.ts'

const plane = useControlPlane()
const DAY_MS = 24 * 60 * 60 * 1000
let start: Date
beforeEach(() => {
  start = plane.now
})
afterEach(async () => {
  plane.now = start
  plane.storage.isDown = false
  plane.storage.objects.clear()
  await plane.database.db`delete from recordings`
  await plane.database.db`delete from storage_differences`
})

const newKey = (tenantId = plane.tenant.tenantId) => `${tenantId}/recordings/${randomUUID()}.mp4`

function stored(key = newKey(), at = start): string {
  putObject(plane, key, 'x')
  const object = plane.storage.objects.get(key)
  if (object !== undefined) object.storedAt = at
  return key
}

/** Sweeps at that time, and carries out the deletions that it asked for. */
async function sweepAfter(passedMs: number) {
  plane.now = new Date(start.getTime() + passedMs)
  await addRow()
  const ended = await sweep()
  await deleteObjects(plane)
  return ended
}

/** After the last objects, so that the database is not older than the storage. */
async function addRow(): Promise<void> {
  const { id } = await plane.book()
  await addRecording(plane, id)
}

const sweep = () => sweepObjectsJob(plane.deps).run(jobRun(plane))

async function logOfSweep(): Promise<string> {
  const logged = new PassThrough()
  await sweepObjectsJob(plane.deps).run({ ...jobRun(plane), log: pino(logged) })
  return text(logged.end())
}

const has = (key: string) => plane.storage.objects.has(key)

const differences = () => plane.database.db<{ key: string; isHeld: boolean }[]>`
  select storage_key as key, is_held as "isHeld" from storage_differences order by found_at, key
`

test('every column of the schema that may name an object is in the list, or known to name none', async () => {
  const columns = await plane.database.db<{ name: string }[]>`
    select table_name || '.' || column_name as name
      from information_schema.columns
     where table_schema = 'public'
       and column_name like '%\\_key'
       and data_type = 'text'
     order by name
  `
  const listed = OBJECT_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  const known = [...listed, ...OTHER_KEYS].toSorted()
  expect(columns.map(({ name }) => name)).toEqual(known)
})

describe('the sweep of objects', () => {
  test('deletes an object that was unnamed for 30 days, and runs once a day', async () => {
    const orphan = stored()
    await sweepAfter(DAY_MS)
    expect(await differences()).toEqual([])
    const outcome = await sweepAfter(DAY_MS + 1)
    expect(await differences()).toEqual([{ key: orphan, isHeld: false }])
    expect(outcome).toEqual({ outcome: 'again', at: new Date(plane.now.getTime() + DAY_MS) })
    await sweepAfter(31 * DAY_MS)
    expect(has(orphan)).toBe(true)
    await sweepAfter(31 * DAY_MS + 1)
    expect(has(orphan)).toBe(false)
    expect(await differences()).toEqual([])
  })

  test('forgets an unnamed object that a row names again, and begins anew later', async () => {
    const key = stored()
    await sweepAfter(2 * DAY_MS)
    const { recordingId } = await addRecordedRoom(plane)
    const { db } = plane.database
    await db`update recordings set storage_key = ${key} where id = ${recordingId}`
    await sweepAfter(3 * DAY_MS)
    expect(await differences()).toEqual([])
    await db`delete from recordings where id = ${recordingId}`
    await sweepAfter(32 * DAY_MS)
    await sweepAfter(33 * DAY_MS)
    expect(has(key)).toBe(true)
  })

  test('keeps an object that is newer than every row until a person deletes it, and says so', async () => {
    plane.now = new Date(start.getTime() - DAY_MS)
    await addRow()
    plane.now = start
    const newer = stored()
    // The first moment after a restore. Later there are newer rows.
    expect(await logOfSweep()).toContain('ALARM: objects that no row names are kept')
    expect(await differences()).toEqual([{ key: newer, isHeld: true }])
    await sweepAfter(40 * DAY_MS)
    await sweepAfter(80 * DAY_MS)
    expect(has(newer)).toBe(true)
    plane.storage.objects.delete(newer)
    await sweepAfter(81 * DAY_MS)
    expect(await differences()).toEqual([])
  })

  test('keeps all when there are many, because the database must be an older one', async () => {
    const keys = Array.from({ length: 11 }, () => stored())
    await sweepAfter(2 * DAY_MS)
    expect((await differences()).filter(({ isHeld }) => isHeld)).toHaveLength(11)
    await sweepAfter(40 * DAY_MS)
    expect(keys.filter((key) => !has(key))).toEqual([])
  })

  test('keeps an object that a row names', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const key = stored(`${plane.tenant.tenantId}/recordings/${recordingId}`)
    await sweepAfter(30 * DAY_MS)
    await sweepAfter(61 * DAY_MS)
    expect(has(key)).toBe(true)
  })

  test.each(OBJECT_COLUMNS)('queries $table.$column', async ({ table, column }) => {
    // No row names the key. The test only proves that the query is valid.
    const key = newKey()
    const { db } = plane.database
    await db`select 1 from ${identifier(table)} where ${identifier(column)} = any(${[key]})`
    expect(await divideByName(db, [key])).toEqual({ named: [], unnamed: [key] })
  })

  test("keeps an object that only a later release's schema names, after a rollback to this release", async () => {
    const { db } = plane.database
    const [kept, orphan] = [stored(), stored()]
    await db`create table later_files (id int primary key, storage_key text)`
    await db`insert into later_files values (1, ${kept})`
    await sweepAfter(2 * DAY_MS)
    await db`drop table later_files`
    expect(await differences()).toEqual([{ key: orphan, isHeld: false }])
  })

  test('leaves objects of another service in the same bucket alone', async () => {
    stored(newKey(randomUUID()))
    await sweepAfter(30 * DAY_MS)
    expect(await differences()).toEqual([])
  })

  test('leaves an object that waits for its row to the job that deletes it without one', async () => {
    const key = stored()
    await expectObject(plane.deps, key)
    await addRow()
    plane.now = new Date(start.getTime() + 2 * DAY_MS)
    await sweep()
    expect(await differences()).toEqual([])
    plane.now = new Date(start.getTime() + DAY_MS / 24)
    await deleteObjects(plane)
    expect(has(key)).toBe(false)
  })

  test('takes no object for unnamed that is deleted while the sweep reads', async () => {
    const key = stored()
    const list: typeof plane.storage.list = async (after) => {
      const page = await plane.storage.list(after)
      plane.storage.objects.delete(key)
      return page
    }
    plane.now = new Date(start.getTime() + 2 * DAY_MS)
    await sweepObjectsJob({ ...plane.deps, storage: { ...plane.storage, list } }).run(jobRun(plane))
    expect(await differences()).toEqual([])
  })

  test('reads every page of the list', async () => {
    const keys = [stored(), stored()]
    await addRow()
    plane.now = new Date(start.getTime() + 2 * DAY_MS)
    const list: typeof plane.storage.list = async (after) => {
      const page = await plane.storage.list(undefined)
      const [first, ...rest] = page.objects.filter(({ key }) => keys.includes(key))
      if (first === undefined) throw new Error('nothing is stored')
      return after === undefined
        ? { objects: [first], next: first.key }
        : { objects: rest, next: undefined }
    }
    const storage = { ...plane.storage, list }
    await sweepObjectsJob({ ...plane.deps, storage }).run(jobRun(plane))
    expect((await differences()).map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
  })

  test('runs again after the storage was down', async () => {
    await addRow()
    plane.now = new Date(start.getTime() + 2 * DAY_MS)
    plane.storage.isDown = true
    await expect(sweep()).rejects.toThrow('the storage is down')
  })
})
