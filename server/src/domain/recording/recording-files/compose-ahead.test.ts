import { ArchiveError } from '@interview-room/composer/capture/archive.ts'
import { chunkNameOf } from '@interview-room/composer/capture/capture-archive.ts'
import type { CaptureEvent } from '@interview-room/composer/capture/capture-events.ts'
import { expect, test } from 'vitest'
import type { JobOutcome } from '../../../platform/jobs/job.ts'
import type { Egress } from '../../../platform/ports/egress.ts'
import type { Storage } from '../../../platform/ports/storage.ts'
import { renamedAt, useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { composeAheadJob } from './compose-ahead.job.ts'
import { composeRecordingJob } from './finish-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const captured = useCapturedRooms(plane, rooms)
const PERSON = { participant: 'a', identity: 'a', name: '' }

const through = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Delivers chunks of one second, each of which can be read without those before it. */
async function delivers(egress: Egress, numbers: readonly number[]): Promise<void> {
  const startMs = egress.startedAt?.getTime() ?? 0
  for (const number of numbers) {
    const [atMs, endMs] = [startMs + (number - 1) * 1000, startMs + number * 1000]
    const first: CaptureEvent[] =
      number === 1
        ? [
            { fact: 'joined', atMs, ...PERSON },
            { fact: 'active', atMs },
          ]
        : [
            {
              fact: 'snapshot',
              atMs,
              afterMs: atMs,
              activeMs: startMs,
              people: [PERSON],
              tracks: [],
            },
          ]
    await captured.deliversChunk(egress, number, [...first, renamedAt(endMs)])
  }
}

/** Runs the job once, as it is a minute later. */
async function composeAhead(id: string): Promise<JobOutcome> {
  rooms.later(60_000)
  const payload = { tenantId: plane.tenant.tenantId }
  return composeAheadJob(plane.deps).run({ ...jobRun(plane), key: id, payload })
}

const piecesOf = (egress: Egress) =>
  captured.objectsOf(egress).filter((key) => key.includes('-piece.'))

/** Ends the recording after so many seconds, and composes its file. Returns the keys of the objects that were read for it. */
async function finish(
  moderator: { post: (path: string) => Promise<unknown> },
  egress: Egress,
  sec: number,
) {
  const startedAt = egress.startedAt ?? plane.now
  rooms.later(startedAt.getTime() + sec * 1000 - plane.now.getTime())
  await moderator.post('/recording/stop')
  const file = { sizeBytes: 1, durationSec: sec }
  plane.media.moveEgress(egress.egressId, { status: 'complete', file, endedAt: plane.now })
  await captured.settle()
  const reads: string[] = []
  const storage: Storage = {
    ...plane.storage,
    async read(key) {
      reads.push(key)
      return plane.storage.read(key)
    },
  }
  const job = composeRecordingJob({ ...plane.deps, storage, onAvailable: startAutomatically })
  return { job, reads }
}

async function becomesAvailable(
  id: string,
  job: ReturnType<typeof composeRecordingJob>,
  attempt = 1,
) {
  const payload = { tenantId: plane.tenant.tenantId }
  await job.run({ ...jobRun(plane), key: id, payload, attempt })
  await captured.settle()
  const { status, duration_sec } = (await plane.tenant.get(`/recordings/${id}`)).data
  expect(status).toBe('available')
  return duration_sec
}

test('a recording is composed while it runs, and only the rest of it at its end', async () => {
  const { roomId, moderator, egress } = await captured.recording()
  const { id } = await rooms.recordingOf(roomId)
  await delivers(egress, through(1, 36))
  expect(await composeAhead(id)).toMatchObject({ outcome: 'again' })
  await delivers(egress, through(37, 72))
  await composeAhead(id)
  expect(piecesOf(egress)).toHaveLength(2)
  await delivers(egress, through(73, 80))
  const { job, reads } = await finish(moderator, egress, 80)
  expect(await becomesAvailable(id, job)).toBeCloseTo(80, 1)
  const name = egress.outputPath?.split('/').slice(-3).join('/') ?? ''
  expect(reads).toContain(chunkNameOf(name, 80))
  expect(reads).not.toContain(chunkNameOf(name, 20))
  expect(captured.objectsOf(egress)).toEqual([])
  expect((await composeAhead(id)).outcome).toBe('done')
})

test('pieces from before a late chunk are not used', async () => {
  const { roomId, moderator, egress } = await captured.recording()
  const { id } = await rooms.recordingOf(roomId)
  await delivers(egress, [...through(1, 20), ...through(22, 36)])
  await composeAhead(id)
  expect(piecesOf(egress)).toHaveLength(1)
  await delivers(egress, [21, ...through(37, 40)])
  const { job, reads } = await finish(moderator, egress, 40)
  expect(await becomesAvailable(id, job)).toBeCloseTo(40, 1)
  const name = egress.outputPath?.split('/').slice(-3).join('/') ?? ''
  expect(reads).toContain(chunkNameOf(name, 1))
})

test('a piece that cannot be read costs an attempt, and nothing of the recording', async () => {
  const { roomId, moderator, egress } = await captured.recording()
  const { id } = await rooms.recordingOf(roomId)
  await delivers(egress, through(1, 36))
  await composeAhead(id)
  const [piece = ''] = piecesOf(egress)
  plane.storage.objects.set(piece, { body: Buffer.from('other bytes'), mime: 'application/x-tar' })
  const { job } = await finish(moderator, egress, 36)
  const payload = { tenantId: plane.tenant.tenantId }
  await expect(job.run({ ...jobRun(plane), key: id, payload })).rejects.toThrow(ArchiveError)
  expect(await becomesAvailable(id, job, 2)).toBeCloseTo(36, 1)
})

test('what was captured before a pause is composed to its end', async () => {
  const { roomId, moderator, egress } = await captured.recording()
  const { id } = await rooms.recordingOf(roomId)
  await delivers(egress, through(1, 12))
  rooms.later(10_000)
  await moderator.post('/recording/pause')
  const file = { sizeBytes: 1, durationSec: 10 }
  plane.media.moveEgress(egress.egressId, { status: 'complete', file, endedAt: plane.now })
  await captured.settle()
  await composeAhead(id)
  await moderator.post('/recording/resume')
  await captured.recorderBegins(roomId)
  const second = rooms.lastEgressOf(roomId)
  await delivers(second, through(1, 5))
  const { job, reads } = await finish(moderator, second, 5)
  const lengthSec = await becomesAvailable(id, job)
  expect(lengthSec).toBeGreaterThan(14)
  expect(lengthSec).toBeLessThan(17.1)
  expect(reads.filter((key) => key.includes('-piece.')).length).toBeGreaterThan(0)
  const name = egress.outputPath?.split('/').slice(-3).join('/') ?? ''
  expect(reads).not.toContain(chunkNameOf(name, 1))
})

test('the pieces of a deleted recording are deleted', async () => {
  const { roomId, moderator, egress } = await captured.recording()
  const { id } = await rooms.recordingOf(roomId)
  await delivers(egress, through(1, 36))
  await composeAhead(id)
  expect(piecesOf(egress)).toHaveLength(1)
  await finish(moderator, egress, 36)
  await plane.tenant.delete(`/recordings/${id}`)
  await captured.settle()
  expect(captured.objectsOf(egress)).toEqual([])
})
