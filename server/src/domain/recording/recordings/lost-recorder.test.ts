import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chunkNameOf, packChunk } from '@interview-room/composer/capture/capture-archive.ts'
import {
  type CaptureEvent,
  encodeCaptureEvent,
} from '@interview-room/composer/capture/capture-events.ts'
import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Egress } from '../../../platform/ports/egress.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { deleteObjectsJob } from '../../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { sweepObjectsJob } from '../../monitoring/sweep-objects.job.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { composeRecordingJob, finishRecordingJob } from './finish-recording.job.ts'
import { recorderIsThere } from './provider-reports.ts'
import { noteTrack } from './published-track-store.ts'
import { reconcileRecordingJob, reconcileRecordingsJob } from './reconcile-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const CHUNK_MS = 1000
const LOST_MS = 60_000

let folder: string
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-chunks-'))
  plane.deps.config.recordings.fromCaptures = true
})
beforeEach(() => {
  plane.media.resetEgresses()
  plane.media.onCall = undefined
  plane.storage.isDown = false
  // Tokens are signed for this moment.
  plane.now = new Date()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyOf = ({ outputPath }: Egress) => String(outputPath).split('/').slice(-3).join('/')
const objectsOf = (egress: Egress) =>
  [...plane.storage.objects.keys()].filter((key) => key.startsWith(keyOf(egress)))

/** Chunks of a second each, as a recorder delivers them while it records. */
async function deliversChunks(egress: Egress, numbers: readonly number[]): Promise<void> {
  const startMs = egress.startedAt?.getTime() ?? 0
  const joined = { fact: 'joined', atMs: startMs, participant: 'a', name: '' } as const
  for (const number of numbers) {
    const first: CaptureEvent[] = [joined, { fact: 'active', atMs: startMs }]
    const last = renamedAt(startMs + number * CHUNK_MS)
    await deliversChunk(egress, number, [...(number === 1 ? first : []), last])
  }
}

const renamedAt = (atMs: number): CaptureEvent => {
  return { fact: 'renamed', atMs, participant: 'a', name: '' }
}

async function deliversChunk(
  egress: Egress,
  number: number,
  events: readonly CaptureEvent[],
): Promise<void> {
  const chunk = path.join(folder, String(++count))
  await mkdir(chunk)
  const content = Buffer.concat(events.map((event) => encodeCaptureEvent(event)))
  await writeFile(path.join(chunk, 'facts.jsonl'), content)
  const { archive = Buffer.alloc(0) } =
    (await packChunk(chunk, egress.startedAt?.getTime() ?? 0)) ?? {}
  const key = chunkNameOf(keyOf(egress), number)
  plane.storage.objects.set(key, { body: archive, mime: 'application/x-tar' })
}

async function recording() {
  const { id } = await plane.book({ archiveMode: 'manual' })
  const roomId = String(id)
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  await recorderBegins(roomId)
  return { roomId, moderator, egress: rooms.lastEgressOf(roomId) }
}

async function recorderBegins(roomId: string): Promise<void> {
  rooms.becomesActive(roomId)
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.connect(roomId, egressId, plane.now).isPerson = false
  plane.media.hidden.add(egressId)
  await settle()
  await rooms.run(reconcilePass(plane.deps))
}

/** As a worker does it: a job that the provider fails comes back, and keeps no other one waiting. */
async function settle(): Promise<void> {
  const { db } = plane.database
  for (let round = 0; round < 3; round += 1) {
    await rooms.run(reconcileRecordingsJob(plane.deps))
    await runJobs(db, reconcileRecordingJob(plane.deps)).catch((error: unknown) => {
      if (!(error instanceof MediaError) && !(error instanceof StorageError)) throw error
    })
    await runJobs(db, finishRecordingJob({ ...plane.deps, onAvailable: startAutomatically }))
    await runJobs(db, deleteObjectsJob(plane.deps))
  }
}

/** Its connection is seen to be gone. */
async function isMissed(): Promise<void> {
  await rooms.run(reconcilePass(plane.deps))
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
}

/** The time is over in which it could say why it left, asked to end or not. */
async function isGivenUp(): Promise<void> {
  rooms.later(31_000)
  await settle()
}

const composing = () => composeRecordingJob({ ...plane.deps, onAvailable: startAutomatically })

async function becomesAvailable(roomId: string): Promise<number | null> {
  await settle()
  await runJobs(plane.database.db, composing())
  await settle()
  const { status, duration_sec } = await rooms.recordingOf(roomId)
  expect(status).toBe('available')
  return duration_sec
}

/** Ten seconds are recorded, and become available. */
async function completesIn10Sec({
  roomId,
  moderator,
  egress: { egressId, startedAt },
}: Awaited<ReturnType<typeof recording>>) {
  rooms.later(10_000)
  await moderator.post('/recording/stop')
  const file = { sizeBytes: 1, durationSec: 10 }
  plane.media.moveEgress(egressId, { status: 'complete', file, startedAt, endedAt: plane.now })
  expect(await becomesAvailable(roomId)).toBeCloseTo(10, 0)
  const { id } = await rooms.recordingOf(roomId)
  const { data } = await plane.tenant.get(`/recordings/${id}/completeness`)
  return { id, completeness: data as RecordingCompletenessBody }
}

describe('a recorder that is lost with its disk', () => {
  test('leaves the chunks that it delivered: they become the recording, and no loss is reported', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2, 3])
    plane.media.loseWorkerOf(egress.egressId)
    plane.media.disconnect(roomId, egress.egressId)
    await isMissed()
    await isGivenUp()
    expect(await rooms.roomEventsOf(roomId)).toEqual(['recording.started', 'recording.paused'])
    const next = rooms.lastEgressOf(roomId)
    expect(next.egressId).not.toBe(egress.egressId)
    await recorderBegins(roomId)
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    rooms.later(LOST_MS)
    plane.media.loseWorkerOf(next.egressId)
    plane.media.disconnect(roomId, next.egressId)
    await isMissed()
    await moderator.post('/recording/stop')
    await isGivenUp()
    // What it still managed to deliver belongs to it, too.
    await deliversChunks(egress, [4])
    expect(await becomesAvailable(roomId)).toBeCloseTo(6, 1)
    expect([...objectsOf(egress), ...objectsOf(next)]).toEqual([])
  })

  test('is known to be lost though nobody answers at its address', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    plane.media.disconnect(roomId, egress.egressId)
    plane.media.onCall = (call) => {
      if (/Egress/.test(call)) throw new MediaError('unreachable')
    }
    await isMissed()
    await isGivenUp()
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    await moderator.post('/recording/stop')
    // The next segment may have been begun though nobody said so.
    rooms.later(10 * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
  })

  test('keeps nobody waiting whose room has ended when nobody answers at its address', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    plane.media.onCall = (call) => {
      if (/Egress/.test(call)) throw new MediaError('unreachable')
    }
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(5 * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
  })

  test('keeps nobody waiting whose segment had not begun, either', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    plane.media.onCall = (call) => {
      if (/Egress/.test(call)) throw new MediaError('unreachable')
    }
    await moderator.post('/recording/stop')
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(10 * MINUTE_MS)
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
  })

  test('is known to be lost when its provider lists its egress no more', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    plane.media.disconnect(roomId, egress.egressId)
    plane.media.egresses.delete(egress.egressId)
    rooms.later(LOST_MS)
    await settle()
    plane.now = new Date(plane.now.getTime() + 6_000)
    await settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    await recorderBegins(roomId)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    await deliversChunks(rooms.lastEgressOf(roomId), [1])
    rooms.later(LOST_MS)
    await moderator.post('/recording/pause')
    const { egressId } = rooms.lastEgressOf(roomId)
    const file = { sizeBytes: 1, durationSec: 1 }
    plane.media.moveEgress(egressId, { status: 'complete', file, endedAt: plane.now })
    await moderator.post('/recording/stop')
    expect(await becomesAvailable(roomId)).toBeCloseTo(3, 1)
  })

  test('keeps what it delivered before anybody knew that it had begun', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = rooms.lastEgressOf(roomId)
    await deliversChunks({ ...egress, startedAt: plane.now }, [1, 2, 3])
    plane.media.egresses.delete(egress.egressId)
    rooms.later(4000)
    await settle()
    await recorderBegins(roomId)
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    const next = rooms.lastEgressOf(roomId)
    await deliversChunks(next, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(next.egressId, { status: 'complete', file, endedAt: plane.now })
    expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
  })

  test('loses its recording when it delivered nothing', async () => {
    const { roomId, moderator, egress } = await recording()
    plane.media.loseWorkerOf(egress.egressId)
    plane.media.disconnect(roomId, egress.egressId)
    await isMissed()
    await moderator.post('/recording/stop')
    await isGivenUp()
    const { status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
  })
})

describe('a recorder that is restarted', () => {
  test.each([
    ['on the clock of the service', 0],
    ['on a clock that is ahead', 60_000],
  ])('continues its segment, and what it missed is named: %s', async (_, aheadMs) => {
    const { roomId, moderator, egress } = await recording()
    const { db } = plane.database
    const beganMs = egress.startedAt?.getTime() ?? 0
    const ahead = { ...egress, startedAt: new Date(beganMs + aheadMs) }
    await db`
      update recording_segments
         set clock_offset_ms = ${aheadMs}, started_at = ${ahead.startedAt}
       where egress_id = ${egress.egressId}
    `
    await publishes(roomId, moderator.participantId)
    await deliversChunks(ahead, [1, 2])
    const resumedMs = beganMs + aheadMs + 8000
    const participant = { participant: 'a', name: '' }
    await deliversChunk(ahead, 3, [
      { fact: 'resumed', atMs: resumedMs },
      { fact: 'joined', atMs: resumedMs, ...participant },
      renamedAt(resumedMs + 2000),
    ])
    const { id, completeness } = await completesIn10Sec({ roomId, moderator, egress: ahead })
    expect(completeness).toMatchObject({ is_complete: false, missing_sec: 6 })
    expect(completeness.people[0]?.gaps).toEqual([
      {
        started_at: new Date(beganMs + 2000).toISOString(),
        ended_at: new Date(beganMs + 8000).toISOString(),
        duration_sec: 6,
        reason: 'recorder_failed',
      },
    ])
    expect((await plane.tenant.get(`/recordings/${id}/timeline`)).data.segments).toHaveLength(1)
  })
})

test('a camera in a codec that is not recorded is named, and the recording is not complete', async () => {
  const { roomId, moderator, egress } = await recording()
  await publishes(roomId, moderator.participantId)
  const beganMs = egress.startedAt?.getTime() ?? 0
  const person = { participant: 'PA_1', identity: moderator.participantId, name: 'Mori' }
  const camera = { participant: 'PA_1', track: 'TR_1', role: 'camera', isMuted: false } as const
  await deliversChunk(egress, 1, [
    { fact: 'joined', atMs: beganMs, ...person },
    { fact: 'published', atMs: beganMs, ...camera },
    { fact: 'active', atMs: beganMs },
    { fact: 'unrecordable', atMs: beganMs + 1000, track: 'TR_1', codec: 'video/VP9' },
    { fact: 'unpublished', atMs: beganMs + 6000, track: 'TR_1' },
    { fact: 'renamed', atMs: beganMs + 10_000, participant: 'PA_1', name: 'Mori' },
  ])
  const { completeness } = await completesIn10Sec({ roomId, moderator, egress })
  expect(completeness).toMatchObject({ is_complete: false, missing_sec: 5 })
  expect(completeness.people[0]?.gaps).toEqual([
    {
      started_at: new Date(beganMs + 1000).toISOString(),
      ended_at: new Date(beganMs + 6000).toISOString(),
      duration_sec: 5,
      reason: 'codec_unsupported',
    },
  ])
  expect(await rooms.roomEventsOf(roomId)).toContain('recording.incomplete')
})

/** Since the recording began. */
async function publishes(roomId: string, identity: string): Promise<void> {
  const connections = plane.media.connections.get(roomId) ?? []
  const mediaSid = connections.find((each) => each.identity === identity)?.sid ?? ''
  const at = new Date(plane.now.getTime() - MINUTE_MS)
  const track = { roomId, trackSid: 'TR_a', mediaSid, isPublished: true, at }
  await noteTrack(plane.database.db, track)
}

describe('an egress that never ends', () => {
  test.each([
    ['active, and refuses every call', 'active', 5],
    ['ending', 'ending', 10],
  ] as const)('%s: its chunks become the recording', async (_what, status, minutes) => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    plane.media.loseWorkerOf(egress.egressId)
    await moderator.post('/recording/stop')
    plane.media.moveEgress(egress.egressId, { status })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(minutes * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
  })

  test('has nothing in the recording that it delivered after the stop', async () => {
    const { roomId, moderator, egress } = await recording()
    rooms.later(2.5 * CHUNK_MS)
    await moderator.post('/recording/stop')
    await deliversChunks(egress, [1, 2, 3, 4])
    plane.media.moveEgress(egress.egressId, { status: 'ending' })
    await settle()
    rooms.later(10 * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2.5, 0)
  })

  test('and began only after the stop is no recording', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = rooms.lastEgressOf(roomId)
    await moderator.post('/recording/stop')
    rooms.later(4000)
    rooms.becomesActive(roomId)
    await settle()
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(egress.egressId, { status: 'complete', file, endedAt: plane.now })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })
})

describe('a recorder that is lost while the storage does not answer', () => {
  const LOSSES = [
    [
      'its connection has left',
      async (roomId: string, { egressId }: Egress) => {
        plane.media.loseWorkerOf(egressId)
        plane.media.disconnect(roomId, egressId)
        await isMissed()
        await isGivenUp()
      },
    ],
    [
      'it is back without its disk',
      async (_: string, { egressId }: Egress) => {
        plane.media.egresses.delete(egressId)
        rooms.later(4000)
        await settle()
      },
    ],
  ] as const

  test.each(LOSSES)('is replaced, and what it delivered is kept: %s', async (_, isLost) => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2, 3])
    plane.storage.isDown = true
    await isLost(roomId, egress)
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    const next = rooms.lastEgressOf(roomId)
    expect(next.egressId).not.toBe(egress.egressId)
    await recorderBegins(roomId)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    plane.storage.isDown = false
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(next.egressId, { status: 'complete', file, endedAt: plane.now })
    expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
  })

  test('in place of whom none is to be asked any more is followed by the next recording', async () => {
    const { roomId, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    plane.storage.isDown = true
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(6000)
    await settle()
    plane.storage.isDown = false
    await settle()
    await runJobs(plane.database.db, composing())
    await settle()
    const all = await rooms.recordingsOf(roomId)
    expect(all.map(({ status }) => status).toSorted()).toEqual(['available', 'started'])
  })
})

describe('a recorder that reports that it could not end its capture', () => {
  const FAULTS = [
    ['the storage took no more of it', 'failed', true],
    ['its disk could not be read', 'failed', false],
    ['it was aborted', 'aborted', false],
  ] as const

  test.each(FAULTS)(
    'leaves what it delivered before: %s',
    async (_what, status, hasUploadFailed) => {
      const { roomId, moderator, egress } = await recording()
      await deliversChunks(egress, [1, 2, 3, 4, 5])
      rooms.later(LOST_MS)
      await moderator.post('/recording/stop')
      plane.media.moveEgress(egress.egressId, { status: 'ending' })
      await settle()
      await ends(egress, { status, hasUploadFailed })
      await settle()
      expect(objectsOf(egress)).toHaveLength(5)
      expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
      expect(objectsOf(egress)).toEqual([])
    },
  )

  test('though nobody heard that it had begun', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = { ...rooms.lastEgressOf(roomId), startedAt: plane.now }
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await ends(egress, { status: 'failed' })
    await settle()
    expect((await rooms.recordingsOf(roomId)).map(({ status }) => status)).toContain('stopped')
    expect(objectsOf(egress)).toHaveLength(2)
    await runJobs(plane.database.db, composing())
    await settle()
    expect((await rooms.recordingsOf(roomId)).map(({ status }) => status)).toContain('available')
  })

  test('while nobody asked for the end: the next recording begins, and this one is kept', async () => {
    const { roomId, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    rooms.later(6000)
    await settle()
    await runJobs(plane.database.db, composing())
    await settle()
    const all = await rooms.recordingsOf(roomId)
    expect(all.map(({ status }) => status).toSorted()).toEqual(['available', 'started'])
  })

  test('of a pause: the recording holds all of it', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2, 3])
    rooms.later(LOST_MS)
    await moderator.post('/recording/pause')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    await moderator.post('/recording/resume')
    await recorderBegins(roomId)
    const next = rooms.lastEgressOf(roomId)
    await deliversChunks(next, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(next.egressId, { status: 'complete', file, endedAt: plane.now })
    expect(await becomesAvailable(roomId)).toBeCloseTo(5, 1)
  })

  test('of one person: the archive holds what was delivered of each', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    await recorderBegins(roomId)
    const egress = rooms.lastEgressOf(roomId)
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
  })

  test('is asked again while the storage does not answer: nothing is lost', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    plane.storage.isDown = true
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    rooms.later(48 * 60 * MINUTE_MS)
    await settle()
    plane.storage.isDown = false
    expect(objectsOf(egress)).toHaveLength(2)
    await settle()
    await runJobs(plane.database.db, composing())
    await settle()
    plane.now = new Date()
    expect((await rooms.recordingOf(roomId)).status).toBe('available')
  })

  test('and delivered nothing fails its recording with the reason that it named', async () => {
    const { roomId, moderator, egress } = await recording()
    await moderator.post('/recording/stop')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('failed')
    const [last] = (await webhooksOf(plane, `recording:${id}`)).slice(-1)
    expect(last?.data).toMatchObject({ failure_reason: 'upload_failed' })
    // What it still delivers is kept with the recording, for manual rescue, and goes with it.
    await deliversChunks(egress, [1])
    rooms.later(2 * 60 * MINUTE_MS)
    await settle()
    expect(objectsOf(egress)).toHaveLength(1)
    plane.now = new Date()
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    await settle()
    expect(objectsOf(egress)).toEqual([])
  })

  test('has nothing kept that it captured only after the stop', async () => {
    const { id } = await plane.book({ archiveMode: 'manual' })
    const roomId = String(id)
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const egress = rooms.lastEgressOf(roomId)
    await moderator.post('/recording/stop')
    rooms.later(4000)
    rooms.becomesActive(roomId)
    await settle()
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
    expect(objectsOf(egress)).toEqual([])
  })

  test('leaves nothing of a recording that is deleted before the storage has answered', async () => {
    const { roomId, moderator, egress } = await recording()
    await deliversChunks(egress, [1, 2])
    rooms.later(LOST_MS)
    await moderator.post('/recording/stop')
    await ends(egress, { status: 'failed', hasUploadFailed: true })
    const { id } = await rooms.recordingOf(roomId)
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    await settle()
    expect(objectsOf(egress)).toEqual([])
  })
})

/** Its provider reports that it ended so. */
async function ends(egress: Egress, how: Partial<Egress>): Promise<void> {
  plane.media.moveEgress(egress.egressId, { endedAt: plane.now, ...how })
  const reported = plane.media.egresses.get(egress.egressId)
  if (reported !== undefined) await notifyOfEgress(plane, reported)
}

test('a recorder that comes back after it was taken for dead is ended', async () => {
  const { roomId, egress } = await recording()
  await deliversChunks(egress, [1])
  plane.media.disconnect(roomId, egress.egressId)
  await isMissed()
  await isGivenUp()
  expect(rooms.egressesOf(roomId)).toHaveLength(2)
  plane.media.moveEgress(egress.egressId, { status: 'active' })
  plane.media.connect(roomId, egress.egressId, plane.now).isPerson = false
  await recorderIsThere(plane.deps, { roomId, egressId: egress.egressId, at: plane.now })
  await settle()
  expect(plane.media.egresses.get(egress.egressId)?.status).toBe('ending')
})

test('chunks stay as long as the row of their capture, and go with it', async () => {
  const { roomId, moderator, egress } = await recording()
  await deliversChunks(egress, [1, 2])
  plane.media.loseWorkerOf(egress.egressId)
  plane.media.disconnect(roomId, egress.egressId)
  await isMissed()
  await moderator.post('/recording/stop')
  await isGivenUp()
  const { now } = plane
  for (const object of plane.storage.objects.values()) object.storedAt = now
  rooms.later(48 * 60 * MINUTE_MS)
  await sweepObjectsJob(plane.deps).run(jobRun(plane))
  await runJobs(plane.database.db, deleteObjectsJob(plane.deps))
  plane.now = now
  expect(objectsOf(egress)).toHaveLength(2)
  const { id } = await rooms.recordingOf(roomId)
  expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
  await settle()
  expect(objectsOf(egress)).toEqual([])
})
