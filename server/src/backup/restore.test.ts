import { afterEach, beforeEach, expect, test } from 'vitest'
import { findUnnamedObjects } from '../domain/monitoring/find-unnamed-objects.ts'
import { sweepObjectsJob } from '../domain/monitoring/sweep-objects.job.ts'
import { checkRecordingFilesJob } from '../domain/recording/recording-files/check-recording-files.job.ts'
import type { Db } from '../platform/db/db.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createTestDeps } from '../testing/deps.ts'
import { addHandout } from '../testing/handouts.ts'
import { addRecordedRoom, deleteObjects, jobRun } from '../testing/recordings.ts'
import { waitFor } from '../testing/wait-for.ts'
import { startBackground } from '../worker.ts'
import { findMissingFiles } from './find-missing-files.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const plane = useControlPlane()
let backup: TestDatabase | undefined

beforeEach(() => {
  // Workers take jobs by the database's clock.
  plane.now = new Date()
  plane.storage.objects.clear()
})

afterEach(async () => {
  await backup?.drop()
  backup = undefined
  await plane.database.db`delete from storage_differences`
  await plane.database.db`delete from handouts`
  await plane.database.db`delete from recordings`
})

const passTime = (ms: number) => (plane.now = new Date(plane.now.getTime() + ms))

const keysOf = () => [...plane.storage.objects.keys()].toSorted()

/** The recording's room has a handout. */
async function record(): Promise<string> {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  const { data } = await plane.tenant.get(`/rooms/${roomId}`)
  await addHandout(plane, data.session.id)
  return recordingId
}

async function deleteRecording(id: string): Promise<void> {
  expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
  await deleteObjects(plane)
}

/** The worker of a service on this database and the storage as it is. */
async function startOn(db: Db): Promise<Deps> {
  const { media, storage, deps } = plane
  const restored = createTestDeps({ db, media, storage, clock: deps.clock })
  const background = await startBackground(restored)
  await waitFor(async () => {
    const done = await db`
      select 1 from jobs
       where kind in ('sweep-objects', 'check-recording-files') and succeeded_at is not null
    `
    return done.length === 2
  })
  await background.stop()
  return restored
}

async function pass30Days(deps: Deps): Promise<void> {
  passTime(31 * DAY_MS)
  await checkRecordingFilesJob(deps).run(jobRun(plane))
  await sweepObjectsJob(deps).run(jobRun(plane))
  await deleteObjects({ ...plane, deps, database: { ...plane.database, db: deps.db } })
}

const announced = async (db: Db) => (await db`select type from webhook_events`).length

test('a database that is older than the storage deletes and announces nothing, and names what differs', async () => {
  await record()
  const deleted = await record()
  const before = keysOf()
  backup = await createTestDatabase(new URL(plane.database.url).pathname.slice(1))
  const events = await announced(backup.db)
  passTime(HOUR_MS)
  await record()
  await record()
  const made = keysOf().filter((key) => !before.includes(key))
  await deleteRecording(deleted)
  const stored = keysOf()
  passTime(HOUR_MS)

  const deps = await startOn(backup.db)
  for (let month = 0; month < 3; month += 1) {
    expect(keysOf()).toEqual(stored)
    const { missing } = await findMissingFiles(deps)
    expect(missing.map(({ id }) => id)).toEqual([deleted])
    expect((await findUnnamedObjects(deps)).map(({ key }) => key).toSorted()).toEqual(made)
    await pass30Days(deps)
  }
  const held = await backup.db`select 1 from storage_differences where is_held`
  expect(held).toHaveLength(made.length)
  const [row] = await backup.db`select status from recordings where id = ${deleted}`
  expect(row).toEqual({ status: 'available' })
  expect(await announced(backup.db)).toBe(events)
})

test('a storage that is older than the database announces nothing, and what differs is named', async () => {
  await record()
  const deleted = await record()
  const restored = new Map(plane.storage.objects)
  passTime(2 * DAY_MS)
  const lost = await record()
  await deleteRecording(deleted)
  const { db } = plane.database
  const events = await announced(db)
  plane.storage.objects.clear()
  for (const [key, object] of restored) plane.storage.objects.set(key, object)
  const stored = keysOf()

  const deps = await startOn(db)
  expect(keysOf()).toEqual(stored)
  const { missing } = await findMissingFiles(deps)
  expect(missing.filter(({ resource }) => resource === 'recording')).toMatchObject([{ id: lost }])
  expect(missing.filter(({ resource }) => resource === 'handout')).toHaveLength(1)
  const unnamed = (await findUnnamedObjects(deps)).map(({ key }) => key)
  expect(unnamed).toEqual([`${plane.tenant.tenantId}/recordings/${deleted}`])
  await pass30Days(deps)
  // The tenant deleted it.
  expect(keysOf()).toEqual(stored.filter((key) => !unnamed.includes(key)))
  const [row] = await db`select status from recordings where id = ${lost}`
  expect(row).toEqual({ status: 'available' })
  expect(await announced(db)).toBe(events)
})
