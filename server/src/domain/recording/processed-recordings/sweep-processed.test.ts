import { PROCESSED_SOURCES, PROCESSED_STATUSES } from '@interview-room/contract/vocabulary.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/db/db.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { failChangesOf } from '../../../testing/failing-database.ts'
import {
  addRecordedRoom,
  deleteObjects,
  jobRun,
  putObject,
  setProcessedStatus,
  webhooksOf,
} from '../../../testing/recordings.ts'
import { takeTrim } from '../../../testing/trims.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { moveProcessed, type ProcessedMove } from './move-processed.ts'
import { PROCESSED_ENTERED_FROM } from './processed-recording.ts'
import { findProcessed } from './store.ts'
import { sweepProcessedJob } from './sweep-processed.job.ts'

const plane = useControlPlane()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
let start: Date

beforeEach(() => {
  start = plane.now
})
afterEach(() => {
  plane.now = start
  plane.storage.isDown = false
})

async function order(source: 'trim' | 'upload', durationSec = 3600) {
  const { recordingId } = await addRecordedRoom(plane, { durationSec })
  const path = `/recordings/${recordingId}/processed-recording`
  const range = source === 'trim' ? { trim_start_sec: 0, trim_end_sec: durationSec } : {}
  const { data } = await plane.tenant.post(path, { source, ...range })
  const uploadKey = data.upload === undefined ? '' : new URL(data.upload.url).pathname.slice(1)
  return { id: data.id as string, path, recordingId, uploadKey }
}

async function sweepAfter(passedMs: number) {
  plane.now = new Date(start.getTime() + passedMs)
  return sweepProcessedJob(plane.deps).run(jobRun(plane))
}

/** Deletes the trim's job, so that no worker will start it. */
async function loseOrder(id: string): Promise<void> {
  await plane.database.db`delete from jobs where key = ${id}`
}

const statusOf = async (path: string) => (await plane.tenant.get(path)).data?.status

describe('the clean-up of uploads that were never completed', () => {
  // contract: States of a ProcessedRecording › The clean-up runs every 10 minutes
  // contract: Limits › Stale pending processed recordings: every 10 minutes
  test('runs every ten minutes', async () => {
    const outcome = await sweepAfter(0)
    expect(outcome).toEqual({ outcome: 'again', at: new Date(start.getTime() + 10 * MINUTE_MS) })
  })

  // contract: States of a ProcessedRecording › pending → (none), an hour after the URL expired,
  //   when nothing was uploaded
  test('removes the record an hour after the address expired without an upload', async () => {
    const { path, id } = await order('upload')
    await sweepAfter(2 * HOUR_MS - 1)
    expect(await statusOf(path)).toBe('pending')
    await sweepAfter(2 * HOUR_MS)
    expect(await statusOf(path)).toBeUndefined()
    expect(await webhooksOf(plane, `processed:${id}`)).toEqual([])
    expect((await plane.tenant.post(path, { source: 'upload' })).status).toBe(201)
  })

  test('continues after an upload that cannot be removed', async () => {
    const orders = [await order('upload'), await order('upload')]
    const [failing, next] = orders.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const rows = { table: 'processed_recordings', column: 'id', id: failing!.id }
    const repair = await failChangesOf(plane.database.db, rows)
    await sweepAfter(2 * HOUR_MS)
    expect([await statusOf(failing!.path), await statusOf(next!.path)]).toEqual([
      'pending',
      undefined,
    ])
    await repair()
    await sweepAfter(2 * HOUR_MS)
    expect(await statusOf(failing!.path)).toBeUndefined()
  })

  // contract: States of a ProcessedRecording › pending → (none), a day later, when it was uploaded
  //   and not completed
  test('removes record and object after a day, when the upload was not completed', async () => {
    const { path, uploadKey } = await order('upload')
    putObject(plane, uploadKey, 'forgotten')
    await sweepAfter(24 * HOUR_MS - 1)
    expect(await statusOf(path)).toBe('pending')
    await sweepAfter(24 * HOUR_MS)
    expect(await statusOf(path)).toBeUndefined()
    await deleteObjects(plane)
    expect(plane.storage.objects.has(uploadKey)).toBe(false)
  })

  test('leaves an available one alone', async () => {
    const { path, uploadKey } = await order('upload')
    putObject(plane, uploadKey, 'wanted')
    await plane.tenant.post(`${path}/complete`)
    await sweepAfter(48 * HOUR_MS)
    expect(await statusOf(path)).toBe('available')
  })

  test('removes nothing while the storage is down', async () => {
    const { path } = await order('upload')
    plane.storage.isDown = true
    await sweepAfter(3 * HOUR_MS)
    expect(await statusOf(path)).toBe('pending')
    plane.storage.isDown = false
    await sweepAfter(3 * HOUR_MS)
    expect(await statusOf(path)).toBeUndefined()
  })

  test('has one outcome when an upload is completed at the same moment', async () => {
    const { path, uploadKey } = await order('upload')
    putObject(plane, uploadKey, 'late')
    plane.now = new Date(start.getTime() + 24 * HOUR_MS)
    const [completed] = await Promise.all([
      plane.tenant.post(`${path}/complete`),
      sweepProcessedJob(plane.deps).run(jobRun(plane)),
    ])
    expect(await statusOf(path)).toBe(completed.status === 200 ? 'available' : undefined)
    await deleteObjects(plane)
    expect(plane.storage.objects.has(uploadKey)).toBe(false)
  })

  test('processes more of them than one read contains', async () => {
    const orders = await Promise.all(Array.from({ length: 105 }, () => order('upload')))
    await sweepAfter(2 * HOUR_MS)
    const left = await plane.database.db`
      select 1 from processed_recordings where id = any(${orders.map(({ id }) => id)})
    `
    expect(left).toEqual([])
  })
})

describe('a trim', () => {
  // contract: Fields of a ProcessedRecording › `failure_reason` of a failed one
  // contract: States of a ProcessedRecording › pending trim → failed after 30 minutes, timed_out,
  //   W7
  test('fails after half an hour without a start, and sends W7', async () => {
    const { id, path } = await order('trim')
    await sweepAfter(30 * MINUTE_MS - 1)
    expect(await statusOf(path)).toBe('pending')
    await loseOrder(id)
    await sweepAfter(30 * MINUTE_MS)
    expect((await plane.tenant.get(path)).data).toMatchObject({
      status: 'failed',
      failure_reason: 'timed_out',
      size: null,
    })
    await sweepAfter(31 * MINUTE_MS)
    expect(await webhooksOf(plane, `processed:${id}`)).toMatchObject([
      {
        type: 'processed_recording.status_changed',
        data: {
          processed_recording_id: id,
          source: 'trim',
          status: 'failed',
          previous_status: 'pending',
          failure_reason: 'timed_out',
        },
      },
    ])
  })

  // contract: States of a ProcessedRecording › processing → failed after 30 minutes or three times
  //   the clip, W7
  test.each([
    [60, 30],
    [3600, 180],
  ])('of %i seconds that works fails after %i minutes', async (durationSec, minutes) => {
    const { id, path } = await order('trim', durationSec)
    await setProcessedStatus(plane, id, 'processing')
    await takeTrim(plane, id)
    await sweepAfter(minutes * MINUTE_MS - 1)
    expect(await statusOf(path)).toBe('processing')
    await sweepAfter(minutes * MINUTE_MS)
    expect(await statusOf(path)).toBe('failed')
    expect(await webhooksOf(plane, `processed:${id}`)).toMatchObject([
      { data: { previous_status: 'processing', failure_reason: 'timed_out' } },
    ])
  })

  // Many were ordered together, or the worker that made it was stopped.
  test.each(['pending', 'processing'] as const)(
    'that is queued, %s, fails only after a day',
    async (status) => {
      const { id, path } = await order('trim', 60)
      await setProcessedStatus(plane, id, status)
      await sweepAfter(24 * HOUR_MS - 1)
      expect(await statusOf(path)).toBe(status)
      await sweepAfter(24 * HOUR_MS)
      expect((await plane.tenant.get(path)).data).toMatchObject({
        status: 'failed',
        failure_reason: 'timed_out',
      })
    },
  )

  test('that a worker starts at the same moment does not fail', async () => {
    const { id, path } = await order('trim', 60)
    await takeTrim(plane, id)
    await sweepAfter(HOUR_MS)
    expect(await statusOf(path)).toBe('pending')
  })

  // contract: States of a ProcessedRecording › failed → (none) by DELETE, then POST
  test('that failed can be ordered again after a DELETE', async () => {
    const { id, path } = await order('trim')
    await loseOrder(id)
    await sweepAfter(HOUR_MS)
    expect(await statusOf(path)).toBe('failed')
    expect((await plane.tenant.delete(path)).status).toBe(204)
    const range = { trim_start_sec: 0, trim_end_sec: 10 }
    expect((await plane.tenant.post(path, { source: 'trim', ...range })).status).toBe(201)
  })
})

describe('the states of a processed recording', () => {
  const FILE = { storageKey: 'somewhere', sizeBytes: 3, durationSec: 1.5 }
  const MOVES: Record<ProcessedMove['to'], ProcessedMove> = {
    processing: { to: 'processing' },
    available: { to: 'available', file: FILE },
    failed: { to: 'failed', failureReason: 'internal' },
  }
  const PAIRS = PROCESSED_SOURCES.flatMap((source) =>
    PROCESSED_STATUSES.flatMap((from) =>
      Object.values(MOVES).map((move) => [source, from, move.to] as const),
    ),
  )

  // contract: States of a ProcessedRecording › (none) → pending by POST; pending → processing →
  //   available or failed (trim); pending → available (upload); no other ways; W7 on available and
  //   failed
  test.each(PAIRS)('%s: from %s to %s as the table says', async (source, from, to) => {
    const { id, recordingId, path } = await order(source)
    await setProcessedStatus(plane, id, from)
    const key = { tenantId: plane.tenant.tenantId, recordingId }
    const moved = await inTransaction(plane.database.db, async (tx) => {
      const { roomId } = await lockRecording(tx, key)
      const locked = await findProcessed(tx, key, 'update')
      return locked && moveProcessed(tx, locked, { ...MOVES[to], roomId, at: plane.now })
    })
    const entered: readonly string[] = PROCESSED_ENTERED_FROM[source][to]
    const isPossible = entered.includes(from)
    expect(moved?.status).toBe(isPossible ? to : undefined)
    expect(await statusOf(path)).toBe(isPossible ? to : from)
    const reported = (await webhooksOf(plane, `processed:${id}`)).map(({ data }) => data['status'])
    expect(reported).toEqual(isPossible && to !== 'processing' ? [to] : [])
  })
})
