import { beforeEach, describe, expect, test } from 'vitest'
import { MediaError } from '../../../platform/ports/media.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { FILE, useRecordedRooms } from '../../../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

beforeEach(() => {
  plane.media.resetEgresses()
  plane.media.onCall = undefined
  plane.now = new Date()
})

/** A recorded room whose recorder reports its written bytes. */
async function begin(outputMode = 'composed') {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start', { output_mode: outputMode })
  await recorderBegins(roomId)
  const { id } = await newest(roomId)
  return { roomId, moderator, id }
}

async function recorderBegins(roomId: string): Promise<void> {
  rooms.becomesActive(roomId)
  await writes(roomId, 1_000)
}

/** The newest egress has written this many bytes, and all jobs run. */
async function writes(roomId: string, writtenBytes: number): Promise<void> {
  plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { writtenBytes })
  await rooms.settle()
}

const newest = async (roomId: string) => rooms.recordingOf(roomId)

/** The state shown to a person who opens the page now. */
async function shownTo({ listen }: Pick<Guest, 'listen'>) {
  const stream = await listen()
  return (await stream.wait('snapshot')).recording
}

async function lastEventOf(roomId: string) {
  const { data } = await plane.tenant.get(
    `/rooms/${roomId}/room-events?event_type=recording.paused`,
  )
  return data.items.at(-1)?.payload
}

/** Runs the workers' checks, every ten seconds. */
async function passes(sec: number): Promise<void> {
  for (let passed = 0; passed < sec; passed += 10) {
    rooms.later(Math.min(10, sec - passed) * 1000)
    await rooms.settle().catch(unlessOfTheProvider)
  }
}

function unlessOfTheProvider(error: unknown): void {
  if (!(error instanceof MediaError)) throw error
}

/** A separate recorder whose process is stopped answers nothing. */
function recorderIsSilent(roomId: string): void {
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.onCall = (call) => {
    if (call.includes('Egress') && [roomId, egressId].some((id) => call.includes(id))) {
      throw new MediaError('timed out')
    }
  }
}

describe('a recorder that stalls', () => {
  // contract: streamRoom, startRecording, pauseRecording, resumeRecording, stopRecording ›
  //   `is_interrupted` while a recording is paused because its recorder failed
  test('is reported by W3 and the log within half a minute, and another one continues', async () => {
    const { roomId, moderator, id } = await begin()
    const stuck = rooms.lastEgressOf(roomId)
    await passes(30)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
    expect(await rooms.roomEventsOf(roomId)).toEqual(['recording.started', 'recording.paused'])
    expect(await shownTo(moderator)).toMatchObject({ status: 'paused', is_interrupted: true })
    expect(await lastEventOf(roomId)).toEqual({ recording_id: id, cause: 'recorder_failed' })
    expect(plane.media.egresses.get(stuck.egressId)?.status).toBe('ending')
    expect(rooms.lastEgressOf(roomId).egressId).not.toBe(stuck.egressId)

    await recorderBegins(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    expect((await rooms.roomEventsOf(roomId)).at(-1)).toBe('recording.resumed')
  })

  test('keeps what it wrote before: its file is part of the recording', async () => {
    const { roomId, moderator, id } = await begin()
    const stuck = rooms.lastEgressOf(roomId)
    await passes(30)
    await recorderBegins(roomId)
    rooms.completes(stuck)
    await rooms.settle()
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    expect(await rooms.roomEventsOf(roomId)).not.toContain('recording.failed')
    const { data } = await moderator.post('/recording/pause')
    expect(data.recording.recorded_sec).toBe(FILE.durationSec)
  })

  test('is also noticed when it no longer answers', async () => {
    const { roomId, id } = await begin()
    recorderIsSilent(roomId)
    await passes(30)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
    expect(rooms.egressesOf(roomId)).toHaveLength(1)

    plane.media.onCall = undefined
    await passes(10)
    await recorderBegins(roomId)
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
  })

  test('does not count in the time shown on the pages', async () => {
    const { roomId, moderator } = await begin()
    rooms.later(8_000)
    await writes(roomId, 2_000)
    await passes(20)
    const { data } = await moderator.post('/recording/pause')
    expect(data).toMatchObject({
      recording: { status: 'paused', recorded_sec: 8, running_since: null },
    })
  })

  test('is replaced only for its person in an individual recording', async () => {
    const { roomId, id } = await begin('individual')
    await passes(30)
    expect(await rooms.statusesOf(id)).toEqual(['started'])
    expect(rooms.egressesOf(roomId).map(({ status }) => status)).toEqual(['ending', 'starting'])
  })

  test('for the sixth time ends the recording, and the next one begins', async () => {
    const { roomId, id } = await begin()
    for (let stall = 0; stall < 6; stall += 1) {
      await passes(30)
      if (stall < 5) await recorderBegins(roomId)
    }
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(7)
    expect((await rooms.statusesOf(id)).slice(-2)).toEqual(['started', 'stopped'])
  })
})

test('the sixth interruption also ends the recording if the recorder does not answer', async () => {
  const { roomId, id } = await begin()
  for (let stall = 0; stall < 5; stall += 1) {
    await passes(30)
    await recorderBegins(roomId)
  }
  recorderIsSilent(roomId)
  await passes(30)
  expect((await rooms.statusesOf(id)).slice(-2)).toEqual(['started', 'stopped'])
  expect(rooms.egressesOf(roomId)).toHaveLength(6)
  plane.media.onCall = undefined
  await passes(10)
  expect(rooms.egressesOf(roomId)).toHaveLength(7)
  expect((await rooms.recordingsOf(roomId)).map(({ status }) => status)).toContain('started')
})

describe('a recorder does not count as stalled', () => {
  test('while it writes, however slowly', async () => {
    const { roomId, id } = await begin()
    for (let look = 1; look <= 6; look += 1) {
      rooms.later(10_000)
      await writes(roomId, 1_000 + look)
    }
    expect(await rooms.statusesOf(id)).toEqual(['started'])
  })

  test('while everybody is muted', async () => {
    const { roomId, id } = await begin()
    for (const connection of plane.media.connections.get(roomId) ?? []) connection.isSending = false
    await passes(60)
    expect(await rooms.statusesOf(id)).toEqual(['started'])
  })

  test('when its provider never reports written bytes', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await passes(60)
    expect((await newest(roomId)).status).toBe('started')
  })

  test('after a moderator paused: nothing starts automatically', async () => {
    const { roomId, moderator } = await begin()
    await passes(10)
    await moderator.post('/recording/pause')
    rooms.completes(rooms.lastEgressOf(roomId))
    await passes(60)
    expect((await newest(roomId)).status).toBe('paused')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })
})
