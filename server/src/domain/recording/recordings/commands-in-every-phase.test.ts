import { describe, expect, test } from 'vitest'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { followIfDue } from '../../../testing/while-following.ts'
import { FOLLOW_RECORDING, followRecordingRequest } from './recording-requests.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

/** Ends the egress as LiveKit does when it is stopped before it begins. */
function isAborted(roomId: string): void {
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.moveEgress(egressId, { status: 'aborted', endedAt: plane.now })
}

interface DelayedStarts {
  isAsked: () => boolean
  /** Releases the answers, or makes them fail. */
  open: (error?: Error) => void
}

/** Holds back the provider's answers to starts. */
function delayStarts(): DelayedStarts {
  const answer = Promise.withResolvers<Error | undefined>()
  let isAsked = false
  plane.media.onCall = async (call) => {
    if (!call.startsWith('startEgress')) return
    isAsked = true
    const error = await answer.promise
    if (error !== undefined) throw error
  }
  return {
    isAsked: () => isAsked,
    open: (error) => {
      // Keep failing after an error, so that the next caller fails, too.
      if (error === undefined) plane.media.onCall = undefined
      answer.resolve(error)
    },
  }
}

/** How often the room's job was requested. */
async function requestsOf(roomId: string): Promise<number> {
  const [job] = await plane.database.db<{ requested: bigint }[]>`
    select requested from jobs where kind = ${FOLLOW_RECORDING} and key = ${roomId}
  `
  return Number(job?.requested ?? 0)
}

/** An automatic recording whose start has not been answered yet. */
async function askForOne() {
  const roomId = await rooms.book('always')
  const moderator = await rooms.come(roomId, 'moderator')
  const starts = delayStarts()
  await enqueue(plane.database.db, followRecordingRequest(roomId))
  const job = followIfDue(plane, roomId)
  await waitFor(starts.isAsked)
  return { roomId, moderator, starts, job }
}

describe.each(['manual', 'always'] as const)('in a room with archive_mode %s', (mode) => {
  async function starting() {
    const roomId = await rooms.book(mode)
    const moderator = await rooms.come(roomId, 'moderator')
    if (mode === 'manual') await moderator.post('/recording/start')
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    return { roomId, moderator }
  }

  // contract: pauseRecording › Holds before the egress has begun
  test('a pause before the egress has begun takes effect, and can be resumed', async () => {
    const { roomId, moderator } = await starting()
    expect(await moderator.post('/recording/pause')).toMatchObject({
      data: { recording: { status: 'paused' } },
    })
    isAborted(roomId)
    await rooms.settle()
    rooms.later(5 * MINUTE_MS)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    expect(await moderator.post('/recording/resume')).toMatchObject({
      status: 200,
      data: { recording: { status: 'started' } },
    })
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect((await rooms.statusesOf(id)).slice(0, 4)).toEqual([
      'started',
      'paused',
      'started',
      'stopped',
    ])
    expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
  })

  test('a pause whose segment is lost takes effect, and can be resumed', async () => {
    const { roomId, moderator } = await starting()
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/pause')
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'failed' })
    await rooms.settle()
    rooms.later(5 * MINUTE_MS)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    expect(await moderator.post('/recording/resume')).toMatchObject({
      data: { recording: { status: 'started' } },
    })
  })

  // contract: stopRecording › Holds before the egress has begun
  test('a stop before the egress has begun takes effect', async () => {
    const { roomId, moderator } = await starting()
    await moderator.post('/recording/stop')
    isAborted(roomId)
    await rooms.settle()
    rooms.later(5 * MINUTE_MS)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
  })

  test('a stop after a pause before the egress has begun ends it', async () => {
    const { roomId, moderator } = await starting()
    await moderator.post('/recording/pause')
    isAborted(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    await rooms.settle()
    rooms.later(5 * MINUTE_MS)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })
})

describe('while the provider does not answer a stop', () => {
  test.each(['pause', 'stop'])('a %s is answered and takes effect', async (word) => {
    const roomId = await rooms.book('always')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.settle()
    const answer = Promise.withResolvers<void>()
    plane.media.onCall = (call) => (call.startsWith('stopEgress') ? answer.promise : undefined)
    const said = await moderator.post(`/recording/${word}`)
    expect(said.status).toBe(200)
    expect((await rooms.recordingOf(roomId)).status).toBe(word === 'pause' ? 'paused' : 'stopped')
    expect(rooms.lastEgressOf(roomId).status).toBe('starting')
    answer.resolve()
    plane.media.onCall = undefined
    isAborted(roomId)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })
})

describe('before the provider has answered a start', () => {
  // contract: pauseRecording › Holds before the provider has answered
  test('a pause waits for the answer and takes effect', async () => {
    const { roomId, moderator, starts, job } = await askForOne()
    const answered: number[] = []
    const pausing = moderator.post('/recording/pause')
    void pausing.then(({ status }) => answered.push(status))
    // Other requests are answered meanwhile.
    for (let round = 0; round < 3; round += 1) await moderator.get('/messages')
    expect(answered).toEqual([])
    starts.open()
    expect(await pausing).toMatchObject({ data: { recording: { status: 'paused' } } })
    await job
    expect(rooms.lastEgressOf(roomId).status).toBe('ending')
  })

  // contract: stopRecording › Holds before the provider has answered
  test('a stop takes effect: the egress is ended, and no other one begins', async () => {
    const { roomId, moderator, starts, job } = await askForOne()
    expect(await moderator.post('/recording/stop')).toMatchObject({ status: 200 })
    starts.open()
    await job
    rooms.later(5 * MINUTE_MS)
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toMatchObject([{ status: 'ending' }])
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
    // A moderator may still start one.
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })

  // contract: startRecording › Several at the same time: one recording, and the same answer to all
  test('every concurrent start is answered with the same recording', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const starts = delayStarts()
    const all = Array.from({ length: 6 }, () => moderator.post('/recording/start'))
    await waitFor(starts.isAsked)
    starts.open()
    const answers = await Promise.all(all)
    const { id } = await rooms.recordingOf(roomId)
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, data: { recording: { id, status: 'started' } } })
    }
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test('returns 502 to every concurrent start that fails, and leaves no recording', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const starts = delayStarts()
    const all = Array.from({ length: 4 }, () => moderator.post('/recording/start'))
    await waitFor(starts.isAsked)
    starts.open(new MediaError('no worker'))
    for (const answer of await Promise.all(all)) {
      expect(answer).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    }
    plane.media.onCall = undefined
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
  })

  test.each([['refuses'], ['begins']])(
    'returns 409 if the room is closed before the provider %s',
    async (what) => {
      const roomId = await rooms.book('manual')
      const moderator = await rooms.come(roomId, 'moderator')
      const starts = delayStarts()
      const start = moderator.post('/recording/start')
      await waitFor(starts.isAsked)
      await plane.tenant.post(`/rooms/${roomId}/close`, {})
      starts.open(what === 'refuses' ? new MediaError('no such room') : undefined)
      expect(await start).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
      plane.media.onCall = undefined
      expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
    },
  )

  test('returns 200 without a recording if another moderator stops it before the provider begins', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const other = await rooms.come(roomId, 'moderator')
    const starts = delayStarts()
    const start = moderator.post('/recording/start')
    await waitFor(starts.isAsked)
    expect((await other.post('/recording/stop')).status).toBe(200)
    starts.open()
    expect(await start).toMatchObject({ status: 200, data: { recording: null } })
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
  })

  test('returns the same to a moderator who joined that start', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const other = await rooms.come(roomId, 'moderator')
    const starts = delayStarts()
    const start = moderator.post('/recording/start')
    await waitFor(starts.isAsked)
    const before = await requestsOf(roomId)
    const joining = other.post('/recording/start')
    await waitFor(async () => (await requestsOf(roomId)) > before)
    expect((await moderator.post('/recording/stop')).status).toBe(200)
    const answer = await joining
    starts.open()
    expect(answer).toMatchObject({ status: 200, data: { recording: null } })
    expect(await start).toMatchObject({ status: 200, data: { recording: null } })
  })
})

describe('a start in a room', () => {
  // contract: startRecording › 422 VALIDATION_ERROR with ROOM_EMPTY
  // contract: Detail codes › `ROOM_EMPTY`
  test('is refused if it is empty: 422 ROOM_EMPTY', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await live.enter(roomId, 'moderator')
    await rooms.come(roomId, 'observer')
    expect(await moderator.post('/recording/start')).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      details: [['room', 'ROOM_EMPTY']],
    })
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
  })

  test('is refused if each person is recorded separately and nobody publishes yet', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await live.enter(roomId, 'moderator')
    plane.media.connect(roomId, moderator.participantId, plane.now)
    const start = () => moderator.post('/recording/start', { output_mode: 'individual' })
    expect(await start()).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      details: [['room', 'ROOM_EMPTY']],
    })
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
    plane.media.publish(roomId, moderator.participantId)
    expect((await start()).status).toBe(200)
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test('begins when a person has just arrived whose entry is not stored yet', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await live.enter(roomId, 'moderator')
    plane.media.connect(roomId, moderator.participantId, plane.now)
    expect(await moderator.post('/recording/start')).toMatchObject({ status: 200 })
  })
})
