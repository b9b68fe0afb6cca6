import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WAITS } from '../../../platform/config/config.ts'
import { measureVideo } from '../../../platform/media-files/measure-video.ts'
import { type Storage, StorageError } from '../../../platform/ports/storage.ts'
import { SETTINGS, startFolder } from '../../../platform/storage/testing/settings.ts'
import { addRecordedRoom, deleteObjects, jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { takeTrim, useTrims } from '../../../testing/trims.ts'
import { frameNumbersOf } from '../../../testing/videos.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { sweepProcessedJob } from './sweep-processed.job.ts'
import { trimProcessedJob } from './trim-processed.job.ts'

const FRAME_SEC = 1 / 15
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const DOWN: Partial<Storage> = {
  head: () => Promise.reject(new StorageError('the storage is down')),
}
const FULL: Partial<Storage> = { put: () => Promise.reject(new StorageError('no room')) }

describe.each(SETTINGS)('a trim of a recording in %s', (_name, start) => {
  const trims = useTrims(start)

  // contract: States of a ProcessedRecording › processing → available: exact to the picture, W7
  //   once
  test('is exact to the frame, contains no other material, and sends W7 once', async () => {
    const order = await trims.order({ start: 10, end: 25 })
    expect(await trims.run(order)).toEqual({ outcome: 'done' })
    const data = await trims.read(order.address)
    expect(data).toMatchObject({ status: 'available', failure_reason: null })
    expect(Math.abs(data.duration_sec - 15)).toBeLessThanOrEqual(FRAME_SEC)

    const file = await trims.download(order.address)
    const shown = await frameNumbersOf(file)
    expect([shown[0], shown.at(-1), shown.length]).toEqual([150, 374, 225])
    const { video, audio } = await measureVideo({ kind: 'path', path: file })
    expect(video).toMatchObject({ widthPx: 320, heightPx: 240, packets: 225 })
    // H.264 and AAC.
    expect(video?.codec).toMatch(/^avc1\./)
    expect(audio?.codec).toBe('mp4a.40.2')
    expect(video?.frameRate).toBeCloseTo(15)
    const reported = await webhooksOf(trims.plane, `processed:${order.id}`)
    expect(reported.map((event) => event.data)).toMatchObject([
      { source: 'trim', status: 'available', previous_status: 'processing', failure_reason: null },
    ])
    expect(await trims.leftInWorkDir()).toEqual([])
  })

  test('run again changes nothing', async () => {
    const order = await trims.order({ start: 0, end: 1 })
    await trims.run(order)
    const before = await trims.read(order.address)
    await trims.run(order)
    expect(await trims.read(order.address)).toEqual(before)
    expect(await webhooksOf(trims.plane, `processed:${order.id}`)).toHaveLength(1)
  })
})

describe('a trim', () => {
  const trims = useTrims(startFolder)
  const { plane } = trims
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

  /** The storage with some of its calls replaced. */
  const withStorage = (changes: Partial<Storage>) => ({
    changes: { storage: { ...trims.storage(), ...changes } },
  })

  test('is ordered by the POST, in its transaction', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const range = { trim_start_sec: 0, trim_end_sec: 1 }
    const address = `/recordings/${recordingId}/processed-recording`
    const { data } = await plane.tenant.post(address, { source: 'trim', ...range })
    const jobs = await plane.database.db`
      select payload from jobs where kind = 'trim-processed-recording' and key = ${data.id}
    `
    expect(jobs).toEqual([{ payload: { tenantId: plane.tenant.tenantId, recordingId } }])
  })

  // contract: createProcessedRecording › 422 VALIDATION_ERROR for a trim of an individual Recording
  test('of a recording with a file for each participant is 422 VALIDATION_ERROR', async () => {
    const { recordingId } = await addRecordedRoom(plane, { outputMode: 'individual' })
    const address = `/recordings/${recordingId}/processed-recording`
    const range = { trim_start_sec: 0, trim_end_sec: 1 }
    const refused = await plane.tenant.post(address, { source: 'trim', ...range })
    expect([refused.status, refused.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(refused.details).toEqual([['source', 'NOT_ALLOWED']])
    expect((await plane.tenant.post(address, { source: 'upload' })).status).toBe(201)
  })

  test('begins with the picture shown at its start, also between two pictures', async () => {
    const order = await trims.order({ start: 10.03, end: 12.03 })
    await trims.run(order)
    const shown = await frameNumbersOf(await trims.download(order.address))
    expect(shown[0]).toBe(150)
    // Picture 180 is shown in the last 0.03 s of the range. ffmpeg before 7 leaves it out.
    expect([179, 180]).toContain(shown.at(-1))
    const { duration_sec } = await trims.read(order.address)
    expect(Math.abs(duration_sec - 2)).toBeLessThanOrEqual(FRAME_SEC)
  })

  test('logs its progress', async () => {
    const lines: string[] = []
    const order = await trims.order({ start: 0, end: 40 })
    await trims.run(order, { log: pino({}, { write: (line) => lines.push(line) }) })
    const reported = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'trimming')
    expect(reported[0]).toMatchObject({ processedRecordingId: order.id })
    const percents = reported.map(({ percent }) => percent)
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b))
    expect(percents.every((each) => each % 10 === 0 && each > 0 && each <= 100)).toBe(true)
  })

  // contract: States of a ProcessedRecording › processing, the recording is deleted: cancelled, no
  //   W7
  test('whose recording is deleted meanwhile stops and leaves no file', async () => {
    const order = await trims.order({ start: 0, end: 40 })
    const running = trims.run(
      order,
      withStorage({
        // The delete arrives while the trim is being made.
        async locate(key, options) {
          const { status } = await plane.tenant.delete(`/recordings/${order.recordingId}`)
          expect(status).toBe(204)
          return trims.storage().locate(key, options)
        },
      }),
    )
    expect(await running).toEqual({ outcome: 'done' })
    await deleteObjects(plane)
    expect((await trims.processedKeys()).filter((key) => key.includes(order.id))).toEqual([])
    expect(await webhooksOf(plane, `processed:${order.id}`)).toEqual([])
    expect(await trims.leftInWorkDir()).toEqual([])
    expect(WAITS.wantedLookMs).toBe(2_000)
  })

  test('that is being made cannot be deleted: 409', async () => {
    const order = await trims.order()
    const stopped = AbortSignal.abort(new Error('the worker stops'))
    await expect(trims.run(order, { signal: stopped })).rejects.toThrow('the worker stops')
    expect(await reasonOf(order.address)).toEqual(['processing', null])
    const refused = await plane.tenant.delete(order.address)
    expect([refused.status, refused.code]).toEqual([409, 'PROCESSED_RECORDING_NOT_AVAILABLE'])
  })

  test('that is interrupted is made by the next worker, and leaves one file', async () => {
    const order = await trims.order({ start: 0, end: 40 })
    const aborter = new AbortController()
    const first = trims.run(order, { signal: aborter.signal })
    await waitFor(async () => (await trims.leftInWorkDir()).length > 0)
    aborter.abort(new Error('the lease is lost'))
    await expect(first).rejects.toThrow('the lease is lost')
    expect(await trims.leftInWorkDir()).toEqual([])
    await trims.run(order)
    expect(await reasonOf(order.address)).toEqual(['available', null])
    const keys = (await trims.processedKeys()).filter((key) => key.includes(order.id))
    expect(keys).toEqual([expect.stringMatching(/-2\.mp4$/)])
  })

  // contract: States of a ProcessedRecording › processing, by two workers: the later attempt counts
  test('that two workers make is delivered only by the later one, and the other file is deleted', async () => {
    const order = await trims.order({ start: 0, end: 3 })
    const slow = trims.run(order, {
      ...withStorage({
        // Store this file long after the other worker has delivered its own.
        async put(key, body, options) {
          await trims.run(order)
          return trims.storage().put(key, body, options)
        },
      }),
      // This worker notices the other one only when it delivers.
      lookMs: 600_000,
    })
    expect(await slow).toEqual({ outcome: 'done' })
    const jobs = await plane.database.db<{ isDue: boolean }[]>`
      select due_at <= clock_timestamp() as "isDue"
        from jobs
       where kind = 'delete-objects' and payload ->> 'keys' like ${`%${order.id}-1.mp4%`}
    `
    expect(jobs).toEqual([{ isDue: true }])
    await deleteObjects(plane)
    const keys = (await trims.processedKeys()).filter((key) => key.includes(order.id))
    expect(keys).toEqual([expect.stringMatching(/-2\.mp4$/)])
    expect(await reasonOf(order.address)).toEqual(['available', null])
    expect(await webhooksOf(plane, `processed:${order.id}`)).toHaveLength(1)
  })

  // contract: States of a ProcessedRecording › processing, while the storage is down: tried for 24
  //   hours, then failed
  test('is retried for a day while the storage is down, and then fails', async () => {
    const order = await trims.order()
    await expect(trims.run(order, withStorage(DOWN))).rejects.toThrow(StorageError)
    plane.now = new Date(start.getTime() + 24 * HOUR_MS - 1)
    await expect(trims.run(order, withStorage(DOWN))).rejects.toThrow(StorageError)
    expect(await reasonOf(order.address)).toEqual(['processing', null])
    plane.now = new Date(start.getTime() + 24 * HOUR_MS)
    await trims.run(order, withStorage(DOWN))
    expect(await reasonOf(order.address)).toEqual(['failed', 'storage_unavailable'])
    expect(await webhooksOf(plane, `processed:${order.id}`)).toMatchObject([
      { data: { status: 'failed', failure_reason: 'storage_unavailable' } },
    ])
  })

  test('is retried when its file cannot be stored, and leaves no file from the first attempt', async () => {
    const order = await trims.order({ start: 0, end: 1 })
    await expect(trims.run(order, withStorage(FULL))).rejects.toThrow('no room')
    await trims.run(order)
    expect(await reasonOf(order.address)).toEqual(['available', null])
  })

  test('fails immediately when the file of the recording no longer exists', async () => {
    const order = await trims.order()
    await trims.storage().delete([order.sourceKey])
    await trims.run(order)
    expect(await reasonOf(order.address)).toEqual(['failed', 'source_missing'])
  })

  test('is made once a storage that answers with other bytes has the file again', async () => {
    const order = await trims.order({ start: 0, end: 1 })
    const answers = async (file: string) => {
      const body = createReadStream(trims.filePath(file))
      await trims.storage().put(order.sourceKey, body, { mime: 'video/mp4' })
    }
    await writeFile(trims.filePath('other.mp4'), 'other bytes')
    await answers('other.mp4')
    await expect(trims.run(order)).rejects.toMatchObject({ problem: 'unreadable' })
    expect(await reasonOf(order.address)).toEqual(['processing', null])
    await answers('source.mp4')
    await trims.run(order)
    expect(await reasonOf(order.address)).toEqual(['available', null])
  })

  test('fails at the fifth attempt for a file that is not a video, and may be deleted and ordered again', async () => {
    await writeFile(trims.filePath('broken.mp4'), 'no video')
    const order = await trims.order({ file: 'broken.mp4' })
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await expect(trims.run(order)).rejects.toMatchObject({ problem: 'unreadable' })
    }
    await trims.run(order)
    expect(await reasonOf(order.address)).toEqual(['failed', 'source_unreadable'])
    expect((await plane.tenant.delete(order.address)).status).toBe(204)
  })

  test('waits for an ffmpeg when there is none', async () => {
    const order = await trims.order({ start: 0, end: 1 })
    const config = { ...plane.deps.config, workDir: trims.workDir(), ffmpegPath: '/nowhere' }
    const missing = trims.run(order, { changes: { config } })
    await expect(missing).rejects.toMatchObject({ problem: 'no_ffmpeg' })
    expect(await reasonOf(order.address)).toEqual(['processing', null])
    await trims.run(order)
    expect(await reasonOf(order.address)).toEqual(['available', null])
  })

  test('that ffmpeg cannot make fails at the fifth attempt', async () => {
    const failing = trims.filePath('failing-ffmpeg')
    // It lists the required encoders, and fails at everything else.
    const answer =
      'case "$*" in *encoders*) echo " V... libx264 x"; echo " A... aac x";; *) exit 1;; esac'
    await writeFile(failing, `#!/bin/sh\n${answer}\n`, { mode: 0o700 })
    const config = { ...plane.deps.config, workDir: trims.workDir(), ffmpegPath: failing }
    const order = await trims.order()
    for (let tries = 1; tries <= 4; tries += 1) {
      const failed = trims.run(order, { changes: { config } })
      await expect(failed).rejects.toMatchObject({ problem: 'failed' })
    }
    await trims.run(order, { changes: { config } })
    expect(await reasonOf(order.address)).toEqual(['failed', 'internal'])
  })

  // contract: States of a ProcessedRecording › pending, nobody began it for 15 minutes: ordered
  //   again
  test('that no worker starts is ordered again after a quarter of an hour', async () => {
    const order = await trims.order({ start: 0, end: 1 })
    const isOrdered = async () => {
      const jobs = await plane.database.db`
        select 1 from jobs where kind = 'trim-processed-recording' and key = ${order.id}
      `
      return jobs.length === 1
    }
    await plane.database.db`delete from jobs where key = ${order.id}`
    plane.now = new Date(start.getTime() + 15 * MINUTE_MS - 1)
    await sweepProcessedJob(plane.deps).run(jobRun(plane))
    expect(await isOrdered()).toBe(false)
    plane.now = new Date(start.getTime() + 15 * MINUTE_MS)
    await sweepProcessedJob(plane.deps).run(jobRun(plane))
    expect(await isOrdered()).toBe(true)
    await plane.database.db`delete from jobs where key <> ${order.id}`
    const config = { ...plane.deps.config, workDir: trims.workDir() }
    await runJobs(plane.database.db, trimProcessedJob({ ...plane.deps, config }))
    expect(await reasonOf(order.address)).toEqual(['available', null])
  })

  // contract: States of a ProcessedRecording › processing: the limit counts from the last attempt
  test('may take half an hour from its last start, whenever it was ordered', async () => {
    const order = await trims.order()
    await takeTrim(plane, order.id)
    await expect(trims.run(order, withStorage(DOWN))).rejects.toThrow(StorageError)
    plane.now = new Date(start.getTime() + 20 * MINUTE_MS)
    await expect(trims.run(order, withStorage(DOWN))).rejects.toThrow(StorageError)
    plane.now = new Date(start.getTime() + 50 * MINUTE_MS - 1)
    await sweepProcessedJob(plane.deps).run(jobRun(plane))
    expect(await reasonOf(order.address)).toEqual(['processing', null])
    plane.now = new Date(start.getTime() + 50 * MINUTE_MS)
    await sweepProcessedJob(plane.deps).run(jobRun(plane))
    expect(await reasonOf(order.address)).toEqual(['failed', 'timed_out'])
  })

  test('is abandoned when it crashes every worker', async () => {
    const order = await trims.order()
    const died = AbortSignal.abort(new Error('the worker died'))
    for (const hours of [0, 12, 24, 25]) {
      plane.now = new Date(start.getTime() + hours * HOUR_MS)
      await expect(trims.run(order, { signal: died })).rejects.toThrow('the worker died')
      expect(await reasonOf(order.address)).toEqual(['processing', null])
    }
    await sweepProcessedJob(plane.deps).run(jobRun(plane))
    expect(await reasonOf(order.address)).toEqual(['failed', 'timed_out'])
  })
})
