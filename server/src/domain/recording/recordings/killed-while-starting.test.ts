import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { followRecordingJob } from './follow-recording.job.ts'
import { FOLLOW_RECORDING } from './recording-requests.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

beforeEach(() => {
  plane.media.resetEgresses()
  plane.media.onCall = undefined
  plane.now = new Date()
})

async function enter() {
  const roomId = await rooms.book('manual')
  return { roomId, moderator: await rooms.come(roomId, 'moderator') }
}

/**
 * Simulates the death of a moderator's process at its call to the provider: all further steps never happen. Resolves when
 * the call is reached.
 */
async function killAtProvider(guest: Guest, { hasBegun }: { hasBegun: boolean }): Promise<void> {
  const starting = vi.spyOn(plane.media, 'startEgress')
  await new Promise<void>((resolve) => {
    starting.mockImplementationOnce(async (spec) => {
      starting.mockRestore()
      if (hasBegun) await plane.media.startEgress(spec)
      resolve()
      return new Promise<never>(() => {})
    })
    void guest.post('/recording/start').catch(() => {})
  })
}

describe('a process that is killed between a moderator’s start and its answer', () => {
  test('after the provider has begun: the recording is the one egress that runs', async () => {
    const { roomId, moderator } = await enter()
    await killAtProvider(moderator, { hasBegun: true })
    await rooms.run(followRecordingJob(plane.deps), roomId)
    rooms.becomesActive(roomId)
    await rooms.settle()
    const { id, status, provider_archive_id } = await rooms.recordingOf(roomId)
    expect(status).toBe('started')
    expect(provider_archive_id).toBe(rooms.lastEgressOf(roomId).egressId)
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    rooms.later(120_000)
    await rooms.settle()
    expect(await rooms.statusesOf(id)).toEqual(['started'])
  })

  test('before the provider was reached: it is asked again, and the recording begins', async () => {
    const { roomId, moderator } = await enter()
    await killAtProvider(moderator, { hasBegun: false })
    const follow = () => rooms.run(followRecordingJob(plane.deps), roomId)
    await follow()
    expect(await rooms.recordingsOf(roomId)).toEqual([])
    rooms.later(16_000)
    await follow()
    rooms.becomesActive(roomId)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test('and a repeated start, once nobody is asking any more, returns the recording', async () => {
    const { roomId, moderator } = await enter()
    await killAtProvider(moderator, { hasBegun: false })
    rooms.later(16_000)
    await plane.database.db`
      update jobs set lease_until = clock_timestamp() where kind = ${FOLLOW_RECORDING} and key = ${roomId}
    `
    const { status } = await moderator.post('/recording/start')
    expect(status).toBe(200)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
  })
})

async function breakOff() {
  const { roomId, moderator } = await enter()
  await moderator.post('/recording/start', { output_mode: 'composed' })
  rooms.becomesActive(roomId)
  await rooms.settle()
  // The end of a killed handler's egress is reported immediately.
  plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'failed' })
  await rooms.settle()
  expect((await rooms.recordingOf(roomId)).status).toBe('failed')
  return { roomId, moderator }
}

const statuses = async (roomId: string) =>
  (await rooms.recordingsOf(roomId)).map(({ status }) => status)

describe('a recording that broke off in a manually recorded room', () => {
  // contract: How a Recording runs › After a failure another recording begins, in manual rooms, too
  test('is followed by the next one within seconds', async () => {
    const { roomId } = await breakOff()
    rooms.later(5_000)
    await rooms.settle()
    expect(await statuses(roomId)).toEqual(['failed', 'started'])
  })

  test('is not followed by another when the moderator stops meanwhile', async () => {
    const { roomId, moderator } = await breakOff()
    await moderator.post('/recording/stop')
    rooms.later(60_000)
    await rooms.settle()
    expect(await statuses(roomId)).toEqual(['failed'])
  })

  test('is followed by the next one when everybody lost the connection and has returned', async () => {
    const { roomId, moderator } = await breakOff()
    await moderator.leave()
    rooms.later(59_000)
    await rooms.come(roomId, 'moderator')
    await rooms.settle()
    expect(await statuses(roomId)).toEqual(['failed', 'started'])
  })

  test('is not followed by another when everybody has left', async () => {
    const { roomId, moderator } = await breakOff()
    await moderator.leave()
    rooms.later(60_000)
    await rooms.come(roomId, 'moderator')
    await rooms.settle()
    expect(await statuses(roomId)).toEqual(['failed'])
  })
})
