import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { deleteObjects, jobRun } from '../../../testing/recordings.ts'
import { expireRecordingsJob } from '../expire-recordings.job.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { composeRecordingJob } from './finish-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const captured = useCapturedRooms(plane, rooms)
const DAY_MS = 24 * 60 * 60_000
const CHUNKS = [1, 2]
const SEGMENT_SEC = CHUNKS.length

let folder: string
/** An ffmpeg that lists its abilities but dies at any work, as after an upgrade of its libraries or without memory. */
let killedFfmpeg: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-unreadable-'))
  killedFfmpeg = path.join(folder, 'ffmpeg')
  const real = await findFfmpeg(plane.deps.config.ffmpegPath)
  const lists = `case "$*" in *-encoders*) exec ${real} "$@";; esac`
  await writeFile(killedFfmpeg, `#!/bin/sh\n${lists}\nkill -9 $$\n`)
  await chmod(killedFfmpeg, 0o700)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** An ended recording with a pause between any two of its segments. */
async function ended(segments: number) {
  const { roomId, moderator, egress: first } = await captured.recording()
  const egresses = [first]
  for (let index = 0; index < segments; index += 1) {
    if (index > 0) {
      await moderator.post('/recording/resume')
      await captured.recorderBegins(roomId)
      egresses.push(rooms.lastEgressOf(roomId))
    }
    const egress = rooms.lastEgressOf(roomId)
    await captured.deliversChunks(egress, CHUNKS)
    rooms.later(SEGMENT_SEC * 1000)
    await moderator.post('/recording/pause')
    plane.media.moveEgress(egress.egressId, {
      status: 'complete',
      file: { sizeBytes: 1, durationSec: SEGMENT_SEC },
      endedAt: plane.now,
    })
  }
  await moderator.post('/recording/stop')
  await captured.settle()
  const { id } = await rooms.recordingOf(roomId)
  return { roomId, id, egresses }
}

/** Runs the job for the nth time since its last success. */
async function compose(id: string, attempt: number, deps: Partial<Deps> = {}): Promise<void> {
  const payload = { tenantId: plane.tenant.tenantId }
  const job = composeRecordingJob({ ...plane.deps, onAvailable: startAutomatically, ...deps })
  await job.run({ ...jobRun(plane), key: id, payload, attempt })
}

const withKilledFfmpeg = (): Partial<Deps> => ({
  config: { ...plane.deps.config, ffmpegPath: killedFfmpeg },
})

/** Replaces a chunk by an object that is not a capture. */
function breakChunk(egress: Egress): void {
  const [key = ''] = captured.objectsOf(egress)
  plane.storage.objects.set(key, { body: Buffer.from('no capture'), mime: 'application/x-tar' })
}

describe('a composition that is killed', () => {
  test.each([1, 2])('costs none of %i segments, however often it happens', async (segments) => {
    const { roomId, id } = await ended(segments)
    for (const attempt of [1, 3]) {
      await expect(compose(id, attempt, withKilledFfmpeg())).rejects.toMatchObject({
        problem: 'failed',
      })
    }
    expect((await rooms.statusesOf(id)).at(-1)).toBe('stopped')
    await compose(id, 4)
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(segments * SEGMENT_SEC, 0)
    expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
  })

  test('ends a recording only after a day, and leaves its captures', async () => {
    const { id, egresses } = await ended(1)
    rooms.later(DAY_MS + 1000)
    await compose(id, 290, withKilledFfmpeg())
    expect((await rooms.statusesOf(id)).at(-1)).toBe('failed')
    await deleteObjects(plane)
    expect(egresses.flatMap(captured.objectsOf)).toHaveLength(CHUNKS.length)
  })
})

test('a capture that is readable at the second attempt is not lost', async () => {
  const { roomId, id, egresses } = await ended(2)
  const [broken = ''] = captured.objectsOf(egresses[1] as Egress)
  let reads = 0
  const read: Deps['storage']['read'] = async (key) => {
    const isCut = key === broken && ++reads === 1
    const stream = await plane.storage.read(key)
    if (!isCut) return stream
    stream.push(null)
    return stream
  }
  await compose(id, 3, { storage: { ...plane.storage, read } }).catch(() => {})
  await compose(id, 4)
  expect((await rooms.recordingOf(roomId)).duration_sec).toBeCloseTo(2 * SEGMENT_SEC, 0)
})

test('a capture that was asked to end within its first frame is not awaited', async () => {
  const { roomId, id } = await ended(1)
  await plane.database.db`
    update recording_segments set ends_asked_at = started_at + interval '20 ms'
     where recording_id = ${id}
  `
  await compose(id, 1)
  expect((await rooms.statusesOf(id)).at(-1)).toBe('failed')
  const failed = await plane.tenant.get(`/rooms/${roomId}/room-events?event_type=recording.failed`)
  expect(failed.data.items).toMatchObject([{ payload: { failure_reason: 'provider_aborted' } }])
})

/** A recording that became available without its second segment. */
async function availableWithout() {
  const { roomId, id, egresses } = await ended(2)
  const [read, unread] = egresses as [Egress, Egress]
  breakChunk(unread)
  await expect(compose(id, 1)).rejects.toMatchObject({ problem: 'unreadable' })
  await compose(id, 3)
  await compose(id, 1)
  const { status, duration_sec } = await rooms.recordingOf(roomId)
  expect(status).toBe('available')
  expect(duration_sec).toBeCloseTo(SEGMENT_SEC, 0)
  await captured.settle()
  return { roomId, id, read, unread }
}

describe('a capture that was left out because it is unreadable', () => {
  test('stays in the storage until the recording is deleted', async () => {
    const { id, read, unread } = await availableWithout()
    expect(captured.objectsOf(read)).toEqual([])
    expect(captured.objectsOf(unread)).toHaveLength(CHUNKS.length)
    expect((await plane.tenant.delete(`/recordings/${id}`)).status).toBe(204)
    await captured.settle()
    expect(captured.objectsOf(unread)).toEqual([])
  })

  test('stays in the storage until the retention of the recording is over', async () => {
    const { id, unread } = await availableWithout()
    expect(captured.objectsOf(unread)).toHaveLength(CHUNKS.length)
    rooms.later(30 * DAY_MS)
    const config = { ...plane.deps.config, recordingRetentionDays: 29 }
    await expireRecordingsJob({ ...plane.deps, config }).run(jobRun(plane))
    expect((await rooms.statusesOf(id)).at(-1)).toBe('expired')
    await captured.settle()
    expect(captured.objectsOf(unread)).toEqual([])
  })
})
