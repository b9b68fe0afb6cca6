import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { measureVideo } from '../../../platform/media-files/measure-video.ts'
import { type Storage, StorageError } from '../../../platform/ports/storage.ts'
import { SETTINGS, startFolder } from '../../../platform/storage/testing/settings.ts'
import { deleteObjects, jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { takeTrim, useTrims } from '../../../testing/trims.ts'
import { frameNumbersOf } from '../../../testing/videos.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { makeClipJob } from './make-clip.job.ts'
import { sweepClipsJob } from './sweep-clips.job.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FRAME_SEC = 1 / 15
const DOWN: Partial<Storage> = {
  head: () => Promise.reject(new StorageError('the storage is down')),
}

describe.each(SETTINGS)('a clip in %s', (_name, start) => {
  const trims = useTrims(start)

  // contract: Webhook types › An extension: clip.status_changed: `clip_id`, `recording_id`, `room_id`,
  //   `session_external_ref`, `status` and `failure_reason`
  // contract: createClip › Exact to the picture; `clip.status_changed` once
  test('is exact to the frame and reported once, besides other clips and the trim', async () => {
    const trim = await trims.order({ start: 0, end: 2 })
    const { recordingId } = trim
    const body = { start_sec: 10, end_sec: 12, title: 'First' }
    const first = (await trims.plane.tenant.post(`/recordings/${recordingId}/clips`, body)).data
    const clip = { ...trim, id: first.id, use: 'clip' as const, address: `/clips/${first.id}` }
    const other = (
      await trims.plane.tenant.post(`/recordings/${recordingId}/clips`, {
        start_sec: 11,
        end_sec: 11.5,
      })
    ).data
    await trims.run(trim)
    await trims.run(clip)
    await trims.run({ ...clip, id: other.id })
    const made = await trims.read(clip.address)
    expect(made).toMatchObject({ title: 'First', status: 'available', failure_reason: null })
    expect(Math.abs(made.duration_sec - 2)).toBeLessThanOrEqual(FRAME_SEC)
    const file = await trims.download(clip.address)
    const shown = await frameNumbersOf(file)
    expect([shown[0], shown.at(-1), shown.length]).toEqual([150, 179, 30])
    const { video, audio } = await measureVideo({ kind: 'path', path: file })
    expect(video?.codec).toMatch(/^avc1\./)
    expect(audio?.codec).toBe('mp4a.40.2')
    await trims.run(clip)
    expect(await trims.read(clip.address)).toEqual(made)
    const reported = await webhooksOf(trims.plane, `clip:${clip.id}`)
    expect(reported).toMatchObject([
      {
        type: 'clip.status_changed',
        data: {
          clip_id: clip.id,
          recording_id: recordingId,
          room_id: expect.any(String),
          session_external_ref: { external_type: 'Slot', external_id: expect.any(String) },
          status: 'available',
          failure_reason: null,
        },
      },
    ])
    expect((await trims.read(`/clips/${other.id}`)).status).toBe('available')
    expect((await trims.read(trim.address)).status).toBe('available')
    expect(await trims.leftInWorkDir()).toEqual([])
  })
})

describe('a clip', () => {
  const trims = useTrims(startFolder)
  const { plane } = trims
  const order = (wanted: { start?: number; end?: number; file?: string } = {}) =>
    trims.order({ start: 0, end: 1, ...wanted, use: 'clip' })
  let start: Date
  beforeEach(() => {
    start = plane.now
  })
  afterEach(() => {
    plane.now = start
  })

  const reasonOf = async (address: string) => {
    const { status, failure_reason } = await trims.read(address)
    return [status, failure_reason]
  }

  const withStorage = (changes: Partial<Storage>) => ({
    changes: { storage: { ...trims.storage(), ...changes } },
  })

  const sweepAfter = async (passedMs: number) => {
    plane.now = new Date(start.getTime() + passedMs)
    await sweepClipsJob(plane.deps).run(jobRun(plane))
  }

  // contract: deleteClip › One that is being made is cancelled, and leaves nothing
  test.each([
    ['it', ({ address }: { address: string }) => address],
    ['its recording', ({ recordingId }: { recordingId: string }) => `/recordings/${recordingId}`],
  ])('leaves nothing when %s is deleted while it is made', async (_what, pathOf) => {
    const clip = await order({ end: 40 })
    const running = trims.run(
      clip,
      withStorage({
        // The delete arrives while the clip is being made.
        async locate(key, options) {
          expect((await plane.tenant.delete(pathOf(clip))).status).toBe(204)
          return trims.storage().locate(key, options)
        },
      }),
    )
    expect(await running).toEqual({ outcome: 'done' })
    await deleteObjects(plane)
    expect((await trims.clipKeys()).filter((key) => key.includes(clip.id))).toEqual([])
    expect(await webhooksOf(plane, `clip:${clip.id}`)).toEqual([])
    expect(await trims.leftInWorkDir()).toEqual([])
    expect((await plane.tenant.get(clip.address)).status).toBe(404)
  })

  test('that is interrupted is made by the next worker, and leaves one file', async () => {
    const clip = await order({ end: 40 })
    const aborter = new AbortController()
    const first = trims.run(clip, { signal: aborter.signal })
    await waitFor(async () => (await trims.leftInWorkDir()).length > 0)
    aborter.abort(new Error('the lease is lost'))
    await expect(first).rejects.toThrow('the lease is lost')
    expect(await reasonOf(clip.address)).toEqual(['pending', null])
    await trims.run(clip)
    expect(await reasonOf(clip.address)).toEqual(['available', null])
    await deleteObjects(plane)
    const keys = (await trims.clipKeys()).filter((key) => key.includes(clip.id))
    expect(keys).toEqual([expect.stringMatching(/-2\.mp4$/)])
  })

  test('that two workers make is delivered only by the later one', async () => {
    const clip = await order({ end: 3 })
    const slow = trims.run(clip, {
      ...withStorage({
        async put(key, body, options) {
          await trims.run(clip)
          return trims.storage().put(key, body, options)
        },
      }),
      lookMs: 600_000,
    })
    expect(await slow).toEqual({ outcome: 'done' })
    await deleteObjects(plane)
    const keys = (await trims.clipKeys()).filter((key) => key.includes(clip.id))
    expect(keys).toEqual([expect.stringMatching(/-2\.mp4$/)])
    expect(await webhooksOf(plane, `clip:${clip.id}`)).toHaveLength(1)
  })

  // contract: createClip › Tried for 24 hours while the storage is down, then failed
  test('is retried for a day while the storage is down, and then fails', async () => {
    const clip = await order()
    await expect(trims.run(clip, withStorage(DOWN))).rejects.toThrow(StorageError)
    expect(await reasonOf(clip.address)).toEqual(['pending', null])
    plane.now = new Date(start.getTime() + 24 * HOUR_MS)
    await trims.run(clip, withStorage(DOWN))
    expect(await reasonOf(clip.address)).toEqual(['failed', 'storage_unavailable'])
    expect(await webhooksOf(plane, `clip:${clip.id}`)).toMatchObject([
      { data: { status: 'failed', failure_reason: 'storage_unavailable' } },
    ])
    // It stays failed, even if a worker delivers later.
    await trims.run(clip)
    expect(await reasonOf(clip.address)).toEqual(['failed', 'storage_unavailable'])
    expect((await plane.tenant.delete(clip.address)).status).toBe(204)
  })

  // contract: getClip › `failure_reason` of a failed one
  test('fails immediately when the file of the recording no longer exists, and at the fifth attempt when it is not a video', async () => {
    const gone = await order()
    await trims.storage().delete([gone.sourceKey])
    await trims.run(gone)
    expect(await reasonOf(gone.address)).toEqual(['failed', 'source_missing'])
    await writeFile(trims.filePath('broken.mp4'), 'no video')
    const broken = await order({ file: 'broken.mp4' })
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await expect(trims.run(broken)).rejects.toMatchObject({ problem: 'unreadable' })
    }
    await trims.run(broken)
    expect(await reasonOf(broken.address)).toEqual(['failed', 'source_unreadable'])
  })

  test('that no worker starts is ordered again after a quarter of an hour', async () => {
    const clip = await order()
    await plane.database.db`delete from jobs where key = ${clip.id}`
    const isOrdered = async () => {
      const jobs = await plane.database.db`
        select 1 from jobs where kind = 'make-clip' and key = ${clip.id}
      `
      return jobs.length === 1
    }
    await sweepAfter(15 * MINUTE_MS - 1)
    expect(await isOrdered()).toBe(false)
    await sweepAfter(15 * MINUTE_MS)
    expect(await isOrdered()).toBe(true)
    await plane.database.db`delete from jobs where key <> ${clip.id}`
    const config = { ...plane.deps.config, workDir: trims.workDir() }
    await runJobs(plane.database.db, makeClipJob({ ...plane.deps, config }))
    expect(await reasonOf(clip.address)).toEqual(['available', null])
  })

  // contract: createClip › Failed, timed_out: not begun for 30 minutes, or made for longer than 30 minutes or three times
  //   its length; in line it waits for a day
  test('fails when no worker starts it for half an hour, but not while it is queued', async () => {
    const [lost, waiting] = [await order(), await order()]
    await plane.database.db`delete from jobs where key = ${lost.id}`
    await plane.database.db`update jobs set due_at = clock_timestamp() where key = ${waiting.id}`
    plane.now = new Date(start.getTime() + 30 * MINUTE_MS - 1)
    await plane.database.db`delete from jobs where key = ${lost.id}`
    await sweepAfter(30 * MINUTE_MS)
    expect(await reasonOf(lost.address)).toEqual(['failed', 'timed_out'])
    expect(await reasonOf(waiting.address)).toEqual(['pending', null])
    await sweepAfter(24 * HOUR_MS + 30 * MINUTE_MS)
    expect(await reasonOf(waiting.address)).toEqual(['failed', 'timed_out'])
  })

  test('fails half an hour after its last start', async () => {
    const clip = await order()
    await takeTrim(plane, clip.id)
    await expect(trims.run(clip, withStorage(DOWN))).rejects.toThrow(StorageError)
    await sweepAfter(30 * MINUTE_MS - 1)
    expect(await reasonOf(clip.address)).toEqual(['pending', null])
    await sweepAfter(30 * MINUTE_MS)
    expect(await reasonOf(clip.address)).toEqual(['failed', 'timed_out'])
    expect(await webhooksOf(plane, `clip:${clip.id}`)).toHaveLength(1)
  })
})
