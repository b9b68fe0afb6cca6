import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identifier, inTransaction } from '../../platform/db/db.ts'
import { claimObject, expectObject } from '../../platform/storage/unclaimed-object.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { addRecordedRoom, deleteObjects, jobRun, putObject } from '../../testing/recordings.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { findUnnamed, OBJECT_COLUMNS, OTHER_KEYS } from './named-objects-store.ts'
import { sweepObjectsJob } from './sweep-objects.job.ts'

const plane = useControlPlane()
const DAY_MS = 24 * 60 * 60 * 1000
let start: Date
beforeEach(() => {
  start = plane.now
})
afterEach(() => {
  plane.now = start
  plane.storage.isDown = false
})

const newKey = (tenantId = plane.tenant.tenantId) => `${tenantId}/recordings/${randomUUID()}.mp4`

function stored(key = newKey(), at = start): string {
  putObject(plane, key, 'x')
  const object = plane.storage.objects.get(key)
  if (object !== undefined) object.storedAt = at
  return key
}

async function sweepAfter(passedMs: number) {
  plane.now = new Date(start.getTime() + passedMs)
  const ended = await sweep()
  await deleteObjects(plane)
  return ended
}

const sweep = () => sweepObjectsJob(plane.deps).run(jobRun(plane))

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
  test('deletes unnamed objects that are older than a day, and runs once a day', async () => {
    const orphan = stored()
    await sweepAfter(DAY_MS)
    expect(plane.storage.objects.has(orphan)).toBe(true)
    const outcome = await sweepAfter(DAY_MS + 1)
    expect(plane.storage.objects.has(orphan)).toBe(false)
    expect(outcome).toEqual({ outcome: 'again', at: new Date(plane.now.getTime() + DAY_MS) })
  })

  test('keeps an object that a row names', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const key = stored(`${plane.tenant.tenantId}/recordings/${recordingId}`)
    await sweepAfter(30 * DAY_MS)
    expect(plane.storage.objects.has(key)).toBe(true)
  })

  test.each(OBJECT_COLUMNS)('queries $table.$column', async ({ table, column }) => {
    // No row names the key. The test only proves that the query is valid.
    const key = newKey()
    const { db } = plane.database
    await db`select 1 from ${identifier(table)} where ${identifier(column)} = any(${[key]})`
    expect(await findUnnamed(db, [key])).toEqual([key])
  })

  test("keeps an object that only a later release's schema names, after a rollback to this release", async () => {
    const { db } = plane.database
    const [kept, orphan] = [stored(), stored()]
    await db`create table later_files (id int primary key, storage_key text)`
    await db`insert into later_files values (1, ${kept})`
    await sweepAfter(2 * DAY_MS)
    await db`drop table later_files`
    expect(plane.storage.objects.has(kept)).toBe(true)
    expect(plane.storage.objects.has(orphan)).toBe(false)
  })

  test('keeps objects of another service in the same bucket', async () => {
    const foreign = stored(newKey(randomUUID()))
    await sweepAfter(30 * DAY_MS)
    expect(plane.storage.objects.has(foreign)).toBe(true)
  })

  test('keeps an object that waits for its row, and deletes it if the row never comes', async () => {
    const key = stored()
    await expectObject(plane.deps, key)
    const deletions = () => plane.database.db`
      select requested from jobs where kind = 'delete-objects'
    `
    const expected = await deletions()
    plane.now = new Date(start.getTime() + 2 * DAY_MS)
    await sweep()
    expect(expected).toHaveLength(1)
    expect(await deletions()).toEqual(expected)
    await inTransaction(plane.database.db, (tx) => claimObject(tx, key))
    await sweepAfter(2 * DAY_MS)
    expect(plane.storage.objects.has(key)).toBe(false)
  })

  test('keeps an object whose row is inserted during the sweep', async () => {
    const { db } = plane.database
    const { recordingId } = await addRecordedRoom(plane)
    const key = stored()
    await expectObject(plane.deps, key)
    plane.now = new Date(start.getTime() + 2 * DAY_MS)
    let sweeping: Promise<unknown> | undefined
    await inTransaction(db, async (tx) => {
      await tx`lock table jobs in access exclusive mode`
      sweeping = sweep()
      // At this point the rows that name objects have been read, but not the deletion jobs.
      await waitFor(() => hasLockWait(db))
      await tx`update recordings set storage_key = ${key} where id = ${recordingId}`
      await claimObject(tx, key)
    })
    await sweeping
    await deleteObjects(plane)
    expect(plane.storage.objects.has(key)).toBe(true)
  })

  test('leaves the deletions to separate jobs, one for each page of the list', async () => {
    const keys = [stored(), stored()]
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
    const jobs = await plane.database.db`select key from jobs where kind = 'delete-objects'`
    expect(jobs).toHaveLength(2)
    await deleteObjects(plane)
    expect(keys.filter((key) => plane.storage.objects.has(key))).toEqual([])
  })

  test('runs again after the storage was down', async () => {
    plane.storage.isDown = true
    await expect(sweepAfter(2 * DAY_MS)).rejects.toThrow('the storage is down')
  })
})
