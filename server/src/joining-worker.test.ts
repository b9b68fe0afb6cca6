import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { enqueue } from './platform/jobs/enqueue.ts'
import { systemClock } from './platform/lib/clock.ts'
import type { Deps } from './platform/ports/deps.ts'
import { StorageError } from './platform/ports/storage.ts'
import { useControlPlane } from './testing/control-plane.ts'
import { addRecording, putObject } from './testing/recordings.ts'
import { SOON } from './testing/wait-for.ts'
import { type Background, startBackground } from './worker.ts'

const plane = useControlPlane()
/** The number of jobs that one process runs besides the heavy ones. */
const MAIN_JOBS = 8
const JOINS_MAX = 2

let folder: string
let background: Background | undefined
let release: (() => void)[] = []

beforeAll(async () => {
  plane.now = new Date()
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-joining-'))
})
afterEach(async () => {
  for (const each of release) each()
  release = []
  await background?.stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A storage that lists its objects, but delivers nothing until the test ends. */
function hangingStorage(): Deps['storage'] {
  return {
    ...plane.storage,
    locate: () =>
      new Promise((_resolve, reject) => {
        release.push(() => reject(new StorageError('the test has ended')))
      }),
  }
}

/** One with a pause, that has ended: two segments that are there. */
async function addEnded(): Promise<string> {
  const { id: roomId } = await plane.book()
  const recordingId = await addRecording(plane, roomId, { status: 'stopped' })
  for (const position of [0, 1]) {
    const key = `${plane.tenant.tenantId}/recording-parts/${randomUUID()}.mp4`
    putObject(plane, key, 'a segment')
    await plane.database.db`
      insert into recording_segments (id, room_id, recording_id, position, egress_id, status, status_at,
                                      storage_key, size_bytes, duration_sec, created_at)
      values (${randomUUID()}, ${roomId}, ${recordingId}, ${position}, ${`EG_${randomUUID()}`}, 'complete',
              ${plane.now}, ${key}, 9, 60, ${plane.now})
    `
  }
  return recordingId
}

/** The jobs of this kind: how many, and how many of them run. */
async function jobsOf(kind: string): Promise<{ all: number; running: number }> {
  const [counted] = await plane.database.db<[{ all: number; running: number }]>`
    select count(*)::integer as all, count(lease_token)::integer as running from jobs where kind = ${kind}
  `
  return counted
}

test('joining files does not delay a live room, whichever release ordered it', async () => {
  const { db } = plane.database
  const { config } = plane.deps
  for (let count = 0; count < MAIN_JOBS; count += 1) {
    const payload = { tenantId: plane.tenant.tenantId }
    // Stored in the form from before joining had its own queue.
    await enqueue(db, { kind: 'finish-recording', key: await addEnded(), payload })
  }
  const { id: roomId } = await plane.book()
  background = await startBackground({
    ...plane.deps,
    // Jobs are due by the clock of the database.
    clock: systemClock,
    storage: hangingStorage(),
    config: { ...config, workDir: folder, videoJobsMax: JOINS_MAX },
  })
  // Each of them was begun: none waits for a worker.
  await vi.waitFor(
    async () => {
      const { all, running } = await jobsOf('finish-recording')
      expect(all - running).toBe(0)
      expect(release.length).toBeGreaterThanOrEqual(JOINS_MAX)
    },
    { ...SOON, interval: 50 },
  )
  await enqueue(db, { kind: 'follow-recording', key: roomId })
  await vi.waitFor(
    async () => {
      const notBegun = await db`
        select 1 from jobs
         where kind = 'follow-recording' and key = ${roomId} and attempt = 0 and succeeded_at is null
      `
      expect(notBegun).toHaveLength(0)
    },
    { ...SOON, interval: 50 },
  )
  // All have been handed over in the end, and no more of them run than may.
  await vi.waitFor(
    async () =>
      expect(await jobsOf('join-recording')).toEqual({ all: MAIN_JOBS, running: JOINS_MAX }),
    { ...SOON, interval: 50 },
  )
})
