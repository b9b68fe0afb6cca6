import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useCapturedRooms } from '../../../testing/captured-rooms.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { makeVideo } from '../../../testing/videos.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const captured = useCapturedRooms(plane, rooms)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-places-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keyOf = ({ outputPath }: Egress) => String(outputPath).split('/').slice(-3).join('/')

/** Its recorder reports this size and length. */
function completes({ egressId }: Egress, file: { sizeBytes: number; durationSec: number }): void {
  plane.media.moveEgress(egressId, { status: 'complete', file, endedAt: plane.now })
}

/** A moderator ends a capture after two seconds, but its recorder ends only later. */
async function endsLate(
  egress: Egress,
  sec: number,
  { moderator, by }: { moderator: Guest; by: 'pause' | 'stop' },
): Promise<void> {
  rooms.later(2000)
  await moderator.post(`/recording/${by}`)
  await captured.deliversChunks(
    egress,
    Array.from({ length: sec }, (_, index) => index + 1),
  )
  completes(egress, { sizeBytes: 1, durationSec: sec })
  await captured.settle()
}

/** The database has the real time, and these tests have their own. */
const markedAt = (note: string, ms: number) => plane.database.db`
  update room_events set created_at = ${new Date(plane.now.getTime() + ms)}
   where payload ->> 'note' = ${note}
`

const timelineOf = async (id: string) => (await plane.tenant.get(`/recordings/${id}/timeline`)).data

// contract: getRecordingTimeline › `offset_sec` counts from the start of the file
describe('positions in the file of a recording that was paused', () => {
  test('do not count what a recorder captured after the pause', async () => {
    const { roomId, moderator, egress } = await captured.recording()
    await endsLate(egress, 5, { moderator, by: 'pause' })
    rooms.later(MINUTE_MS)
    await moderator.post('/recording/resume')
    await captured.recorderBegins(roomId)
    const second = rooms.lastEgressOf(roomId)
    const { id } = await rooms.recordingOf(roomId)
    const shown = await timelineOf(id)
    expect(shown.segments.at(-1).offset_sec).toBe(2)

    await endsLate(second, 4, { moderator, by: 'stop' })
    const durationSec = await captured.becomesAvailable(roomId)
    expect(durationSec).toBeCloseTo(4, 1)
    const { segments } = await timelineOf(id)
    expect(segments).toHaveLength(2)
    expect(segments[1].offset_sec).toBeCloseTo(2, 1)
    const last = segments[1]
    const lastSec = (Date.parse(last.ended_at) - Date.parse(last.started_at)) / 1000
    // The last packet of sound may end after the picture.
    expect(last.offset_sec + lastSec).toBeCloseTo(Number(durationSec), 1)
  })

  test('have a marker that was set right before the pause at the end of its part', async () => {
    const { roomId, moderator, egress } = await captured.recording()
    // No whole number of frames.
    rooms.later(2040)
    await moderator.post('/events', { event_type: 'marker', payload: { note: 'just before' } })
    await moderator.post('/recording/pause')
    await moderator.post('/events', { event_type: 'marker', payload: { note: 'just after' } })
    await markedAt('just before', -10)
    await markedAt('just after', 10)
    await captured.deliversChunks(egress, [1, 2, 3])
    completes(egress, { sizeBytes: 1, durationSec: 3 })
    await captured.settle()
    rooms.later(MINUTE_MS)
    await moderator.post('/recording/stop')
    await captured.becomesAvailable(roomId)
    const { segments, items } = await timelineOf((await rooms.recordingOf(roomId)).id)
    const [{ started_at: startedAt, ended_at: endedAt }] = segments
    expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(2000)
    const markers = items.filter(({ type }: { type: string }) => type === 'marker')
    expect(markers).toMatchObject([{ payload: { note: 'just before' }, offset_sec: 1.99 }])
  })

  test("count a video's actual length, whatever its provider reported", async () => {
    plane.deps.config.recordings.fromCaptures = false
    const file = path.join(folder, 'segment.mp4')
    await makeVideo(file, { durationSec: 4, size: '320x240' })
    const body = await readFile(file)
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    for (const next of ['pause', 'stop']) {
      if (next === 'stop') await moderator.post('/recording/resume')
      rooms.becomesActive(roomId)
      await rooms.settle()
      rooms.later(2500)
      await moderator.post(`/recording/${next}`)
      const egress = rooms.lastEgressOf(roomId)
      completes(egress, { sizeBytes: body.length, durationSec: 2.5 })
      plane.storage.objects.set(keyOf(egress), { body, mime: 'video/mp4' })
      await rooms.settle()
      rooms.later(MINUTE_MS)
    }
    const { id, status, duration_sec } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    expect(duration_sec).toBeCloseTo(8, 1)
    const { segments } = await timelineOf(id)
    expect(segments[1].offset_sec).toBeCloseTo(4, 1)
  })
})
