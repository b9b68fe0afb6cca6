import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { logRecordingStopJob } from './log-recording-stop.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

beforeEach(() => {
  // Tokens are signed for this moment.
  plane.now = new Date()
})

interface RecordedInterview {
  roomId: string
  moderator: Guest & { leave(): Promise<void> }
  panelist: Guest & { leave(): Promise<void> }
}

async function recorded(): Promise<RecordedInterview> {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  const panelist = await rooms.come(roomId, 'panelist')
  await moderator.post('/recording/start')
  rooms.becomesActive(roomId)
  await rooms.settle()
  return { roomId, moderator, panelist }
}

/** Runs the pending jobs, and returns their log lines. */
async function logged(): Promise<Record<string, unknown>[]> {
  const lines = new PassThrough()
  const log = pino(lines)
  const asked = await plane.database.db<{ key: string; payload: Record<string, unknown> }[]>`
    delete from jobs where kind = 'log-recording-stop' returning key, payload
  `
  for (const each of asked) await logRecordingStopJob().run({ ...jobRun(plane), ...each, log })
  const written = await text(lines.end())
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const WAYS: [reason: string, end: (room: RecordedInterview) => Promise<unknown>][] = [
  [
    'everybody_left',
    async ({ moderator, panelist }) => {
      await moderator.leave()
      await panelist.leave()
      rooms.later(MINUTE_MS + 1000)
    },
  ],
  ['moderator', ({ moderator }) => moderator.post('/recording/stop')],
  [
    'consent_refused',
    ({ panelist }) => panelist.post('/events', { event_type: 'consent.withdrawn' }),
  ],
  ['room_closed', ({ roomId }) => plane.tenant.post(`/rooms/${roomId}/close`)],
  [
    'window_ended',
    async ({ roomId }) => {
      const { session } = (await plane.tenant.get(`/rooms/${roomId}`)).data
      plane.now = new Date(Date.parse(session.ends_at) + 31 * MINUTE_MS)
    },
  ],
  ['provider', async ({ roomId }) => rooms.completes(rooms.lastEgressOf(roomId))],
]

describe('the reason why a recording stopped', () => {
  test.each(WAYS)('is in the log and in the room event: %s', async (reason, end) => {
    const room = await recorded()
    await end(room)
    await rooms.settle()
    const { id } = await rooms.recordingOf(room.roomId)
    const { data } = await plane.tenant.get(
      `/rooms/${room.roomId}/room-events?event_type=recording.stopped`,
    )
    expect(data.items).toMatchObject([{ payload: { recording_id: id, reason } }])
    expect(await logged()).toMatchObject([
      { level: 30, msg: 'recording stopped', room: room.roomId, recording: id, reason },
    ])
  })

  test('is logged once, even if the stop is repeated', async () => {
    const { roomId, moderator } = await recorded()
    await moderator.post('/recording/stop')
    await moderator.post('/recording/stop')
    await plane.tenant.post(`/rooms/${roomId}/close`)
    await rooms.settle()
    expect(await logged()).toMatchObject([{ room: roomId, reason: 'moderator' }])
    expect(await logged()).toEqual([])
  })
})
