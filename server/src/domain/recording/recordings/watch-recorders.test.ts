import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MediaError } from '../../../platform/ports/media.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { readBoard } from '../../board/read-board.ts'
import { followRecordingJob } from './follow-recording.job.ts'
import { FOLLOW_RECORDING } from './recording-requests.ts'
import { noteTrack } from './report-store.ts'
import { watchRecordersJob } from './watch-recorders.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const FIRST = 'http://first.test'
const SECOND = 'http://second.test'
const TIMES = { pauseMs: 5, unreachableMs: 50 }

beforeAll(() => {
  plane.deps.config.recordings.fromCaptures = true
})
afterAll(() => {
  plane.deps.config.recordings.fromCaptures = false
})
beforeEach(async () => {
  // The check would also watch segments of earlier tests.
  await plane.database.db`delete from recording_segments`
  await plane.database.db`delete from jobs where kind = ${FOLLOW_RECORDING}`
  plane.media.resetEgresses()
  plane.media.recorders.splice(0, 1, FIRST, SECOND)
  plane.media.onCall = undefined
  plane.now = new Date()
})

/** A room that the first recorder is about to record. */
async function request(outputMode = 'composed') {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start', { output_mode: outputMode })
  const { id } = await rooms.recordingOf(roomId)
  return { roomId, id, moderator, first: rooms.lastEgressOf(roomId) }
}

/** The same after the recording has begun, with its recorder in the media room. */
async function begin(outputMode = 'composed') {
  const requested = await request(outputMode)
  await recorderBegins(requested.roomId)
  return requested
}

async function recorderBegins(roomId: string): Promise<void> {
  rooms.becomesActive(roomId)
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.moveEgress(egressId, { writtenBytes: 1_000 })
  plane.media.connect(roomId, egressId, plane.now).isPerson = false
  await rooms.settle()
}

/** Runs one check and the jobs it enqueues, a second later. */
async function look(): Promise<void> {
  rooms.later(1_000)
  await rooms.run(watchRecordersJob(plane.deps, TIMES))
  for (let round = 0; round < 2; round += 1) {
    await runJobs(plane.database.db, followRecordingJob(plane.deps)).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
    })
  }
}

const writtenBy = (roomId: string) => rooms.egressesOf(roomId).map(({ spec }) => spec.recorder)

describe('a recorder whose address accepts no connection', () => {
  test.each(['composed', 'individual'])(
    'is replaced immediately by another one, and keeps what it wrote: %s',
    async (outputMode) => {
      const { roomId, id, first } = await begin(outputMode)
      plane.media.faults.set(FIRST, 'gone')
      await look()
      expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
      await recorderBegins(roomId).catch(() => {})
      const statuses = outputMode === 'composed' ? ['started', 'paused', 'started'] : ['started']
      expect(await rooms.statusesOf(id)).toEqual(statuses)
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')

      // It returns and knows its egress, so it ends and delivers its data.
      plane.media.faults.clear()
      await rooms.settle()
      expect(plane.media.egresses.get(first.egressId)?.status).toBe('ending')
      expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
    },
  )

  test('is awaited if no other one can be reached', async () => {
    const { roomId, id } = await begin()
    plane.media.faults.set(FIRST, 'gone').set(SECOND, 'gone')
    await look()
    expect(await rooms.statusesOf(id)).toEqual(['started'])
    plane.media.faults.clear()
    await look()
    expect(await rooms.statusesOf(id)).toEqual(['started'])
    expect(writtenBy(roomId)).toEqual([FIRST])
  })

  test('is left alone when it is back in time', async () => {
    const { roomId, id } = await begin()
    plane.media.faults.set(FIRST, 'gone')
    let attempts = 0
    plane.media.onCall = (call) => {
      if (call === `isReachable ${FIRST}` && ++attempts === 3) plane.media.faults.clear()
    }
    await look()
    expect(attempts).toBe(3)
    expect(await rooms.statusesOf(id)).toEqual(['started'])
    expect(writtenBy(roomId)).toEqual([FIRST])
  })

  test('is not replaced after a pause in the meantime', async () => {
    const { roomId, id } = await begin()
    plane.media.faults.set(FIRST, 'gone')
    let isPaused = false
    plane.media.onCall = async (call) => {
      if (call !== `isReachable ${SECOND}` || isPaused) return
      isPaused = true
      await plane.database.db`
        update recording_segments set ends_asked_at = ${plane.now} where room_id = ${roomId}
      `
    }
    await look()
    expect(isPaused).toBe(true)
    expect(await rooms.statusesOf(id)).toEqual(['started'])
    expect(writtenBy(roomId)).toEqual([FIRST])
  })
})

describe('a recorder that is lost before its segment has begun', () => {
  test.each(['composed', 'individual'])(
    'is replaced immediately if its address accepts no connection: %s',
    async (outputMode) => {
      const { roomId, id, first } = await request(outputMode)
      plane.media.faults.set(FIRST, 'gone')
      await look()
      expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
      await recorderBegins(roomId).catch(() => {})
      expect((await rooms.recordingOf(roomId)).status).toBe('started')
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')

      // It returns without having begun, and never will.
      plane.media.faults.clear()
      await rooms.settle()
      expect(plane.media.egresses.get(first.egressId)?.status).toBe('ending')
      plane.media.moveEgress(first.egressId, { status: 'aborted', endedAt: plane.now })
      rooms.later(120_000)
      plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { writtenBytes: 2_000 })
      await rooms.settle()
      expect((await rooms.statusesOf(id)).at(-1)).toBe('started')
      expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
      expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
    },
  )

  test.each(['composed', 'individual'])(
    'is asked again when it returns without its disk: %s',
    async (outputMode) => {
      const { roomId, id, first } = await request(outputMode)
      plane.media.recorders.splice(0, 2, FIRST)
      plane.media.egresses.delete(first.egressId)
      await look()
      expect(writtenBy(roomId)).toEqual([FIRST])
      await recorderBegins(roomId)
      expect(await rooms.statusesOf(id)).toEqual(['started'])
      expect(await rooms.roomEventsOf(roomId)).toEqual(['recording.started'])
    },
  )

  test('is replaced if it accepts connections and has reported nothing for 15 s', async () => {
    const { roomId, id } = await request()
    rooms.later(20_000)
    await look()
    plane.media.faults.set(FIRST, 'silent')
    rooms.later(10_000)
    await look()
    expect(writtenBy(roomId)).toEqual([FIRST])
    rooms.later(5_000)
    await look()
    expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
    await recorderBegins(roomId).catch(() => {})
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
  })

  test('is not replaced after a stop in the meantime', async () => {
    const { roomId, moderator } = await request()
    plane.media.faults.set(FIRST, 'gone')
    await moderator.post('/recording/stop')
    await look()
    expect(writtenBy(roomId)).toEqual([FIRST])
  })
})

test('a slow recorder is not replaced, because its machine accepts connections', async () => {
  const { roomId, id } = await begin()
  plane.media.faults.set(FIRST, 'silent')
  for (let looks = 0; looks < 5; looks += 1) await look()
  expect(await rooms.statusesOf(id)).toEqual(['started'])
  expect(writtenBy(roomId)).toEqual([FIRST])
})

test('a recorder that briefly does not answer has not stalled, because it was seen writing until then', async () => {
  const { roomId, id, first } = await begin()
  rooms.later(8_000)
  plane.media.moveEgress(first.egressId, { writtenBytes: 2_000 })
  await look()
  plane.media.faults.set(FIRST, 'silent')
  rooms.later(7_000)
  await rooms.settle()
  expect(await rooms.statusesOf(id)).toEqual(['started'])
  expect(writtenBy(roomId)).toEqual([FIRST])
})

test('a recorder that no longer knows its egress is replaced immediately, even if its connection is still there', async () => {
  const { roomId, id, first } = await begin()
  plane.media.recorders.splice(0, 2, FIRST)
  plane.media.egresses.delete(first.egressId)
  await look()
  expect(plane.media.connections.get(roomId)?.map(({ identity }) => identity)).toContain(
    first.egressId,
  )
  expect(writtenBy(roomId)).toEqual([FIRST])
  expect(rooms.lastEgressOf(roomId).egressId).not.toBe(first.egressId)
  await recorderBegins(roomId)
  expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
})

test('recordings as videos are not watched, because their recorder is not the one that is asked', async () => {
  plane.deps.config.recordings.fromCaptures = false
  const { roomId, first } = await begin()
  plane.deps.config.recordings.fromCaptures = true
  plane.media.egresses.delete(first.egressId)
  const before = plane.media.calls.length
  await look()
  expect(plane.media.calls.slice(before)).not.toContain(`listEgress ${roomId}`)
  expect(rooms.egressesOf(roomId)).toEqual([])
})

describe('a track that does not arrive in a running recording', () => {
  const track = 'camera'

  test('is on the board while its recorder reports it, and is logged once', async () => {
    const { roomId, first, moderator } = await begin()
    const { participantId: identity } = moderator
    const since = new Date(plane.now.getTime() - 6000)
    const lacks = [{ identity, track, reason: 'no_media', since }] as const
    const warn = vi.spyOn(plane.deps.log, 'warn')
    plane.media.moveEgress(first.egressId, { lacks })
    for (let sec = 0; sec < 5; sec += 1) await look()
    const said = warn.mock.calls.filter(
      ([, text]) => text === 'track of a person is not in the recording',
    )
    expect(said.map(([fields]) => fields)).toMatchObject([
      { roomId, identity, track, reason: 'no_media', since },
    ])
    const alarms = async () => {
      const { rooms: listed } = await readBoard(plane.deps, plane.tenant.tenantId)
      return listed
        .find(({ id }) => id === roomId)
        ?.alarms.filter(({ code }) => code === 'MEDIA_NOT_RECORDED')
    }
    expect(await alarms()).toEqual([
      { code: 'MEDIA_NOT_RECORDED', since: since.toISOString(), display_name: expect.any(String) },
    ])
    plane.media.moveEgress(first.egressId, { lacks: [] })
    rooms.later(10_000)
    expect(await alarms()).toEqual([])
    warn.mockRestore()
  })

  test('is missing in the report of completeness, before there is a file', async () => {
    const { id, roomId, first, moderator } = await begin()
    const { participantId: identity } = moderator
    const mediaSid = plane.media.connections
      .get(roomId)
      ?.find((each) => each.identity === identity)?.sid
    const at = new Date(plane.now.getTime() - 60_000)
    const whose = { roomId, trackSid: 'TR_a', mediaSid: mediaSid ?? '' }
    await noteTrack(plane.database.db, { ...whose, isPublished: true, at })
    const since = plane.now
    plane.media.moveEgress(first.egressId, {
      lacks: [{ identity, track, reason: 'encrypted', since }],
    })
    for (let sec = 0; sec < 8; sec += 1) {
      plane.media.moveEgress(first.egressId, { writtenBytes: 2000 + sec })
      await look()
    }
    const { data } = await plane.tenant.get(`/recordings/${id}/completeness`)
    const [gap] = data.people[0].gaps
    expect(gap).toMatchObject({ reason: 'encrypted', started_at: since.toISOString() })
  })
})
