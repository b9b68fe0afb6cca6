import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { useSandbox } from '../../testing/sandbox.ts'
import { IS_FULL_RUN } from '../../testing/scope.ts'
import { type SpawnedService, spawnService } from '../../testing/service-process.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { startBackground } from '../../worker.ts'

const plane = useSandbox({ hasWorkers: false })

let workDir: string
let worker: SpawnedService | undefined
beforeAll(async () => {
  workDir = await mkdtemp(path.join(tmpdir(), 'interview-room-trigger-'))
})
afterEach(() => worker?.child.kill('SIGKILL'))
afterAll(() => rm(workDir, { recursive: true, force: true }))

async function startWorker(): Promise<void> {
  worker = await spawnService({
    databaseUrl: plane.database.url,
    role: 'worker',
    env: { STORAGE_DIR: plane.folder, WORK_DIR: workDir },
  })
}

async function killWorker(): Promise<void> {
  if (worker === undefined) return
  const exited = once(worker.child, 'exit')
  worker.child.kill('SIGKILL')
  await exited
  // The same as after half a minute. Two deaths in a row would isolate the job.
  await plane.database.db`
    update jobs set lease_until = clock_timestamp(), deaths = 0 where lease_until is not null
  `
}

async function trigger(type: string, failure_reason?: string): Promise<string> {
  const body = { type, ...(failure_reason !== undefined && { failure_reason }) }
  const { status, text, data } = await plane.sandbox.post('/sandbox/triggers', body)
  expect(status, text).toBe(202)
  return data.room_id
}

interface Made {
  /** The status of each recording; the same for the next lists. */
  recordings: string[]
  processed: string[]
  transcriptions: string[]
  egresses: number
  entries: number
  /** Entries of people who are still in the room. */
  open: number
}

/** Everything that a trigger's steps have made in its room. */
async function madeIn(roomId: string): Promise<Made> {
  const [made] = await plane.database.db<Made[]>`
    select array(select status from recordings where room_id = ${roomId}) as recordings,
           array(select p.status from processed_recordings p
                   join recordings c on c.id = p.recording_id where c.room_id = ${roomId}) as processed,
           array(select t.status from transcriptions t
                   join recordings c on c.id = t.recording_id where c.room_id = ${roomId}) as transcriptions,
           (select count(*)::int from simulated_egresses where media_room = ${roomId}) as egresses,
           (select count(*)::int from entry_histories where room_id = ${roomId}) as entries,
           (select count(*)::int from entry_histories where room_id = ${roomId} and left_at is null)
             as open
  `
  if (made === undefined) throw new Error('no row')
  return made
}

/** True once the service knows the egress of the room's recording. */
async function hasRecorder(roomId: string): Promise<boolean> {
  const { recordings } = await madeIn(roomId)
  const unknown = await plane.database.db`
    select 1 from recording_segments where room_id = ${roomId} and egress_id is null
  `
  return recordings.length === 1 && unknown.length === 0
}

/** Type and status of every webhook of a room. */
async function webhooksIn(roomId: string): Promise<string[]> {
  const rows = await plane.database.db<
    { body: string }[]
  >`select body from webhook_events order by seq`
  return rows
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.room_id === roomId)
    .map(({ type, data }) => (data.status === undefined ? type : `${type} ${data.status}`))
}

const isOver = async () =>
  (await plane.database.db`select 1 from jobs where kind = 'run-sandbox-trigger'`).length === 0

test('a trigger whose worker is killed midway is finished once by the next worker', async () => {
  const trimmed = await trigger('processed_recording.status_changed')
  const transcribed = await trigger('transcription.completed')
  const failed = await trigger('recording.status_changed', 'upload_failed')
  const rooms = [trimmed, transcribed, failed]
  const hasBegun = async () => (await madeIn(trimmed)).recordings.length > 0
  // Only the full run can wait the fifteen seconds for an egress that the service has not heard of yet.
  const isRecorded = async () => (await Promise.all(rooms.map(hasRecorder))).every(Boolean)
  const hasEnded = async () => !(await madeIn(trimmed)).recordings.includes('started')
  const isTrimmed = async () => (await madeIn(trimmed)).processed.length > 0
  for (const isThere of IS_FULL_RUN ? [hasBegun, isRecorded, hasEnded, isTrimmed] : [isRecorded]) {
    await startWorker()
    await waitFor(isThere)
    await killWorker()
  }
  const next = await startBackground(plane.deps)
  try {
    await waitFor(isOver)
    await waitFor(async () => (await madeIn(trimmed)).processed.includes('available'))
    await waitFor(async () => (await madeIn(trimmed)).transcriptions.includes('done'))
    await waitFor(async () => (await madeIn(transcribed)).transcriptions.includes('done'))
    await waitFor(async () => (await madeIn(failed)).recordings.includes('failed'))
  } finally {
    await next.stop()
  }

  const one = { egresses: 1, entries: 1, open: 0, recordings: ['available'] }
  expect(await madeIn(trimmed)).toEqual({
    ...one,
    processed: ['available'],
    transcriptions: ['done'],
  })
  expect(await madeIn(transcribed)).toEqual({ ...one, processed: [], transcriptions: ['done'] })
  const nothing = { processed: [], transcriptions: [] }
  expect(await madeIn(failed)).toEqual({ ...one, ...nothing, recordings: ['failed'] })
  for (const roomId of rooms) {
    const sent = await webhooksIn(roomId)
    expect(sent).toContain('participant.entered')
    expect(sent).toEqual([...new Set(sent)])
  }
}, 120_000)
