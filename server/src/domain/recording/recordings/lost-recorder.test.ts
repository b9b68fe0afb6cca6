import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import { describe, expect, test } from 'vitest'
import { MediaError } from '../../../platform/ports/media.ts'
import { deleteObjectsJob } from '../../../platform/storage/delete-objects.job.ts'
import { renamedAt, useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { sweepObjectsJob } from '../../monitoring/sweep-objects.job.ts'
import { applyNotifiedRecorder } from './provider-reports.ts'
import { noteTrack } from './report-store.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const {
  becomesAvailable,
  deliversChunk,
  deliversChunks,
  objectsOf,
  recorderBegins,
  recording,
  settle,
} = useCapturedRooms(plane, rooms)
const CHUNK_MS = 1000
const LOST_MS = 60_000

/** A reconciliation notices that its connection is gone. */
async function isMissed(): Promise<void> {
  await rooms.run(reconcilePass(plane.deps))
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
}

/** Moves past the grace period for its report, which is longer if it was asked to end. */
async function isGivenUp(): Promise<void> {
  rooms.later(31_000)
  await settle()
}

/** Records ten seconds, and waits until they are available. */
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
  test('leaves its delivered chunks: they become the recording, and no loss is reported', async () => {
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
    // A chunk that it still managed to deliver also belongs to the recording.
    await deliversChunks(egress, [4])
    expect(await becomesAvailable(roomId)).toBeCloseTo(6, 1)
    expect([...objectsOf(egress), ...objectsOf(next)]).toEqual([])
  })

  test('counts as lost although its address does not answer', async () => {
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
    // The next segment may have begun without a report.
    rooms.later(10 * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
  })

  test('does not delay a recording whose room has ended, if its address does not answer', async () => {
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

  test('does not delay a recording either if its segment had not begun', async () => {
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

  test('does not delay a recording for more than a day if its segment has no data', async () => {
    const { roomId, moderator, egress } = await recording()
    await moderator.post('/recording/pause')
    plane.media.moveEgress(egress.egressId, { status: 'ending' })
    await settle()
    await moderator.post('/recording/resume')
    await recorderBegins(roomId)
    const { egressId } = rooms.lastEgressOf(roomId)
    await deliversChunks(rooms.lastEgressOf(roomId), [1, 2])
    rooms.later(2 * CHUNK_MS)
    await moderator.post('/recording/stop')
    const file = { sizeBytes: 1, durationSec: 2 }
    plane.media.moveEgress(egressId, { status: 'complete', file, endedAt: plane.now })
    await settle()
    plane.media.onCall = (call) => {
      if (/Egress/.test(call)) throw new MediaError('unreachable')
    }
    rooms.later(23 * 60 * MINUTE_MS)
    await settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('stopped')
    rooms.later(60 * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2, 1)
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.failed')
  })

  test('counts as lost when its provider no longer lists its egress', async () => {
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

  test('keeps the chunks from before its beginning was known', async () => {
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

  test('loses its recording if it delivered nothing', async () => {
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
  ])('continues its segment, and the gap is reported: %s', async (_, aheadMs) => {
    const { roomId, moderator, egress } = await recording()
    const { db } = plane.database
    const beganMs = egress.startedAt?.getTime() ?? 0
    const ahead = { ...egress, startedAt: new Date(beganMs + aheadMs) }
    await db`
      update recording_segments
         set clock_offset_ms = ${aheadMs}
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

describe('a chunk missing from the storage, as after restoring an older bucket', () => {
  test.each([
    ['in the middle', { delivered: [1, 2], fromMs: 2000 }],
    ['at the beginning', { delivered: [], fromMs: 0 }],
  ])('%s is reported, and later chunks are in the recording', async (_, { delivered, fromMs }) => {
    const { roomId, moderator, egress } = await recording()
    const beganMs = egress.startedAt?.getTime() ?? 0
    await publishes(roomId, moderator.participantId)
    await deliversChunks(egress, delivered)
    const snapshot = { fact: 'snapshot', activeMs: beganMs, people: [], tracks: [] } as const
    await deliversChunk(egress, 8, [
      { ...snapshot, atMs: beganMs + 7000, afterMs: beganMs + 6000 },
      renamedAt(beganMs + 8000),
    ])
    await deliversChunk(egress, 9, [
      { ...snapshot, atMs: beganMs + 8000, afterMs: beganMs + 8000 },
      renamedAt(beganMs + 10_000),
    ])
    const { completeness } = await completesIn10Sec({ roomId, moderator, egress })
    expect(completeness).toMatchObject({ is_complete: false, missing_sec: (7000 - fromMs) / 1000 })
    expect(completeness.people[0]?.gaps).toMatchObject([
      {
        started_at: new Date(beganMs + fromMs).toISOString(),
        ended_at: new Date(beganMs + 7000).toISOString(),
        reason: 'recorder_failed',
      },
    ])
  })
})

test('a camera with an unsupported codec is named, and the recording is not complete', async () => {
  const { roomId, moderator, egress } = await recording()
  await publishes(roomId, moderator.participantId)
  const beganMs = egress.startedAt?.getTime() ?? 0
  const person = { participant: 'PA_1', identity: moderator.participantId, name: 'Mori' }
  const camera = { participant: 'PA_1', track: 'TR_1', role: 'camera', isMuted: false } as const
  await deliversChunk(egress, 1, [
    { fact: 'joined', atMs: beganMs, ...person },
    { fact: 'published', atMs: beganMs, ...camera },
    { fact: 'active', atMs: beganMs },
    { fact: 'unrecordable', atMs: beganMs + 500, track: 'TR_1', codec: 'video/VP9' },
    { fact: 'unpublished', atMs: beganMs + 6000, track: 'TR_1' },
    { fact: 'renamed', atMs: beganMs + 10_000, participant: 'PA_1', name: 'Mori' },
  ])
  const { completeness } = await completesIn10Sec({ roomId, moderator, egress })
  expect(completeness).toMatchObject({ is_complete: false, missing_sec: 5.5 })
  expect(completeness.people[0]?.gaps).toEqual([
    {
      started_at: new Date(beganMs + 500).toISOString(),
      ended_at: new Date(beganMs + 6000).toISOString(),
      duration_sec: 5.5,
      reason: 'codec_unsupported',
    },
  ])
  expect(await rooms.roomEventsOf(roomId)).toContain('recording.incomplete')
})

describe('the capture tells who published what, when the notifications of tracks were lost', () => {
  test.each([
    ['an encrypted camera', { isEncrypted: true }, 'encrypted'],
    ['a camera of which nothing came', {}, 'no_media'],
  ] as const)('%s is missing from its publication to its end', async (_what, sent, reason) => {
    const { roomId, moderator, egress } = await recording()
    const { participantId: identity } = moderator
    const connections = plane.media.connections.get(roomId) ?? []
    const participant = connections.find((each) => each.identity === identity)?.sid ?? ''
    const beganMs = egress.startedAt?.getTime() ?? 0
    const camera = { participant, track: 'TR_1', role: 'camera', isMuted: false, ...sent } as const
    await deliversChunk(egress, 1, [
      { fact: 'active', atMs: beganMs },
      { fact: 'joined', atMs: beganMs, participant, identity, name: 'Mori' },
      { fact: 'published', atMs: beganMs + 1000, ...camera },
      { fact: 'unpublished', atMs: beganMs + 6000, track: 'TR_1' },
      { fact: 'renamed', atMs: beganMs + 10_000, participant, name: 'Mori' },
    ])
    const { completeness } = await completesIn10Sec({ roomId, moderator, egress })
    const { is_complete, people } = completeness
    expect({ is_complete, missing_sec: completeness.missing_sec }).toEqual({
      is_complete: false,
      missing_sec: 5,
    })
    expect(people).toMatchObject([
      {
        participant_id: identity,
        expected_sec: 5,
        actual_sec: 0,
        gaps: [{ started_at: new Date(beganMs + 1000).toISOString(), duration_sec: 5, reason }],
      },
    ])
  })
})

/** The person has published since the beginning of the recording. */
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

  test('adds nothing to the recording that it delivered after the stop', async () => {
    const { roomId, moderator, egress } = await recording()
    rooms.later(2.5 * CHUNK_MS)
    await moderator.post('/recording/stop')
    await deliversChunks(egress, [1, 2, 3, 4])
    plane.media.moveEgress(egress.egressId, { status: 'ending' })
    await settle()
    rooms.later(10 * MINUTE_MS)
    expect(await becomesAvailable(roomId)).toBeCloseTo(2.5, 0)
  })

  test('that began only after the stop is not a recording', async () => {
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

test('a recorder that returns after it counted as dead is ended', async () => {
  const { roomId, egress } = await recording()
  await deliversChunks(egress, [1])
  plane.media.disconnect(roomId, egress.egressId)
  await isMissed()
  await isGivenUp()
  expect(rooms.egressesOf(roomId)).toHaveLength(2)
  plane.media.moveEgress(egress.egressId, { status: 'active' })
  plane.media.connect(roomId, egress.egressId, plane.now).isPerson = false
  const { egressId } = egress
  await applyNotifiedRecorder(plane.deps, { roomId, egressId, at: plane.now }, 'there')
  await settle()
  expect(plane.media.egresses.get(egress.egressId)?.status).toBe('ending')
})

test('chunks stay as long as the row of their capture, and are deleted with it', async () => {
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
