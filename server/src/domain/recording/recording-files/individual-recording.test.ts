import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Egress } from '../../../platform/ports/egress.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { makeVideo, type VideoWanted } from '../../../testing/videos.ts'
import { readEntry } from '../transcriptions/unzip.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-individual-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('an individual recording', () => {
  // contract: startRecording › `output_mode` individual
  test('is one egress per publisher, including later ones, and becomes one archive', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.come(roomId, 'observer')
    const answer = await moderator.post('/recording/start', { output_mode: 'individual' })
    expect(answer.status).toBe(200)
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    const egresses = rooms.egressesOf(roomId)
    expect(egresses.map(({ spec }) => spec.identity)).toEqual([
      moderator.participantId,
      panelist.participantId,
    ])
    for (const { egressId } of egresses) {
      plane.media.moveEgress(egressId, { status: 'active', startedAt: plane.now })
    }
    await rooms.settle()
    await moderator.post('/recording/stop')
    for (const egress of rooms.egressesOf(roomId)) rooms.completes(egress)
    await rooms.settle()
    const recording = await rooms.recordingOf(roomId)
    expect(recording).toMatchObject({ status: 'available', output_mode: 'individual' })
    const row = await plane.database.db<{ storage_key: string }[]>`
      select storage_key from recordings where id = ${recording.id}
    `
    const archive = plane.storage.objects.get(String(row[0]?.storage_key))
    expect(archive?.body.subarray(0, 2).toString()).toBe('PK')
    expect(archive?.body.includes('"role": "panelist"')).toBe(true)
    expect(recording.size).toBe(archive?.body.length)
  })

  test('names owner, start and tracks of each file in its manifest', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start', { output_mode: 'individual' })
    rooms.becomesActive(roomId)
    await rooms.settle()
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    rooms.later(2500)
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/stop')
    const [first, second] = rooms.egressesOf(roomId)
    await hasWritten(first, { durationSec: 4 })
    await hasWritten(second, { durationSec: 1, hasVideo: false })
    await rooms.settle()
    const { id, duration_sec } = await rooms.recordingOf(roomId)
    expect(duration_sec).toBe(4)
    expect(await manifestOf(id)).toEqual({
      recording_id: id,
      room_id: roomId,
      is_complete: null,
      files: [
        {
          name: '001-moderator.mp4',
          participant_id: moderator.participantId,
          role: 'moderator',
          display_name: await nameOf(moderator.participantId),
          offset_sec: 0,
          duration_sec: 4,
          codecs: { video: 'h264', audio: 'aac' },
        },
        {
          name: '002-panelist.mp4',
          participant_id: panelist.participantId,
          role: 'panelist',
          display_name: await nameOf(panelist.participantId),
          offset_sec: 2.5,
          duration_sec: 1,
          codecs: { video: null, audio: 'aac' },
        },
      ],
    })
  })

  test.each([60_000, -60_000])(
    "places each file correctly, even if its recorder's clock is %i ms ahead",
    async (aheadMs) => {
      const roomId = await rooms.book('manual')
      const moderator = await rooms.come(roomId, 'moderator')
      await moderator.post('/recording/start', { output_mode: 'individual' })
      rooms.becomesActive(roomId)
      await rooms.settle()
      await rooms.come(roomId, 'panelist')
      await rooms.settle()
      rooms.later(2500)
      const [first, second] = rooms.egressesOf(roomId)
      const egressId = String(second?.egressId)
      const startedAt = new Date(plane.now.getTime() + aheadMs)
      plane.media.moveEgress(egressId, { status: 'active', startedAt })
      await plane.database.db`
        update recording_segments set clock_offset_ms = ${aheadMs} where egress_id = ${egressId}
      `
      await rooms.settle()
      await moderator.post('/recording/stop')
      await hasWritten(first, { durationSec: 4 })
      await hasWritten(second, { durationSec: 1 })
      await rooms.settle()
      const { id, duration_sec } = await rooms.recordingOf(roomId)
      const manifest = await manifestOf(id)
      const offsets = manifest.files.map(({ role, offset_sec }) => [role, offset_sec])
      expect([offsets, duration_sec]).toEqual([
        [
          ['moderator', 0],
          ['panelist', 2.5],
        ],
        4,
      ])
    },
  )

  // contract: getRecordingCompleteness › who is missing in the file that cannot be read has a gap
  test('lacks the person whose file is unreadable, and its report names them', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    await plane.database.db`
      insert into published_tracks (room_id, track_sid, media_sid, published_at)
      select room_id, 'TR_' || media_sid, media_sid, entered_at
        from entry_histories where room_id = ${roomId}
    `
    // Start after both entries: they have different times, so one may be ahead of this clock.
    plane.now = new Date(Math.max(plane.now.getTime(), Date.now()) + 1000)
    await moderator.post('/recording/start', { output_mode: 'individual' })
    for (const { egressId } of rooms.egressesOf(roomId)) {
      plane.media.moveEgress(egressId, { status: 'active', startedAt: plane.now })
    }
    await rooms.settle()
    rooms.later(4000)
    await moderator.post('/recording/stop')
    for (const egress of rooms.egressesOf(roomId)) {
      await hasWritten(egress, { durationSec: 4 })
      if (egress.spec.identity === panelist.participantId) isCutOff(egress)
    }
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    const { data } = await plane.tenant.get(`/recordings/${id}/completeness`)
    expect(data).toMatchObject({ is_complete: false, missing_sec: 4 })
    expect(
      data.people.map(({ role, gaps }: { role: string; gaps: object[] }) => [role, gaps]),
    ).toEqual([
      ['moderator', []],
      ['panelist', [expect.objectContaining({ duration_sec: 4, reason: 'recorder_failed' })]],
    ])
    expect(await manifestOf(id)).toMatchObject({ is_complete: false, files: { length: 2 } })
    expect(await rooms.roomEventsOf(roomId)).toContain('recording.incomplete')
  })
})

/** Cuts an MP4 off: the index needed for reading it is written at the end. */
function isCutOff({ outputPath }: Egress): void {
  const key = String(outputPath).split('/').slice(-3).join('/')
  const { body = Buffer.alloc(0), mime = '' } = plane.storage.objects.get(key) ?? {}
  plane.storage.objects.set(key, { body: Buffer.alloc(body.length), mime })
}

async function hasWritten(egress: Egress | undefined, wanted: VideoWanted): Promise<void> {
  const { egressId, outputPath } = egress ?? rooms.lastEgressOf('')
  const file = path.join(folder, `${egressId}.mp4`)
  await makeVideo(file, wanted)
  const body = await readFile(file)
  const { durationSec } = wanted
  plane.media.moveEgress(egressId, {
    status: 'complete',
    file: { sizeBytes: body.length, durationSec },
    endedAt: plane.now,
  })
  const key = String(outputPath).split('/').slice(-3).join('/')
  plane.storage.objects.set(key, { body, mime: 'video/mp4' })
}

interface Manifest {
  files: { role: string; offset_sec: number }[]
}

async function manifestOf(id: string): Promise<Manifest> {
  const [row] = await plane.database.db<{ storageKey: string }[]>`
    select storage_key as "storageKey" from recordings where id = ${id}
  `
  const archive = path.join(folder, `${id}.zip`)
  await writeFile(archive, plane.storage.objects.get(String(row?.storageKey))?.body ?? '')
  return JSON.parse((await readEntry(archive, 'manifest.json')).toString()) as Manifest
}

async function nameOf(participantId: string): Promise<string | undefined> {
  const [row] = await plane.database.db<{ name: string }[]>`
    select display_name as name from admissions where participant_id = ${participantId}
  `
  return row?.name
}
