import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EgressSpec } from '../../../platform/ports/egress.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { notifyOfEgress } from '../../../testing/provider-notification.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { makeVideo } from '../../../testing/videos.ts'
import { followRecordingJob } from './follow-recording.job.ts'
import { EMPTY_MAX_MS } from './recording.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

let folder: string
let video: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-compare-'))
  const file = path.join(folder, 'segment.mp4')
  await makeVideo(file, { durationSec: 2 })
  video = await readFile(file)
})
beforeEach(() => {
  // Tokens are signed for this moment.
  plane.now = new Date()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function begin() {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  rooms.becomesActive(roomId)
  await rooms.settle()
  return { roomId, moderator }
}

/** An egress at the provider that the service does not know. */
async function anotherEgress(roomId: string, target: string): Promise<string> {
  const [known] = rooms.egressesOf(roomId)
  const spec = { ...known?.spec, output: { kind: 'file', path: target } } as EgressSpec
  const { egressId } = await plane.media.startEgress(spec)
  plane.media.moveEgress(egressId, { status: 'active', startedAt: plane.now })
  return egressId
}

const statusOf = (egressId: string) => plane.media.egresses.get(egressId)?.status

describe("an egress in the provider's list", () => {
  test('that belongs to no recording is ended, unless another service owns it', async () => {
    const { roomId } = await begin()
    const { tenantId } = plane.tenant
    const orphan = await anotherEgress(roomId, `/files/${tenantId}/recordings/nobodys`)
    const foreign = await anotherEgress(roomId, '/exports/of-somebody-else.mp4')
    await rooms.settle()
    expect([statusOf(orphan), statusOf(foreign)]).toEqual(['ending', 'active'])
    const { status, provider_archive_id } = await rooms.recordingOf(roomId)
    expect(status).toBe('started')
    expect(statusOf(provider_archive_id)).toBe('active')
  })

  test('for a segment that already has one is ended, and the first one stays', async () => {
    const { roomId } = await begin()
    const first = rooms.lastEgressOf(roomId)
    const second = await anotherEgress(roomId, String(first.outputPath))
    await rooms.settle()
    expect([statusOf(first.egressId), statusOf(second)]).toEqual(['active', 'ending'])
    expect(await rooms.recordingsOf(roomId)).toMatchObject([
      { status: 'started', provider_archive_id: first.egressId },
    ])
  })
})

test("a segment requested while the lists are read is not treated as another service's", async () => {
  const { roomId, moderator } = await begin()
  await moderator.post('/recording/pause')
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const starting = vi.spyOn(plane.media, 'startEgress')
  starting.mockImplementationOnce(async (spec) => {
    const egress = await plane.media.startEgress(spec)
    begun.resolve()
    await answer.promise
    return egress
  })
  plane.media.onCall = async (call) => {
    if (call !== `listEgress ${roomId}`) return
    plane.media.onCall = undefined
    void moderator.post('/recording/resume')
    await begun.promise
  }
  await rooms.run(followRecordingJob(plane.deps), roomId)
  starting.mockRestore()
  expect(rooms.egressesOf(roomId)).toHaveLength(2)
  expect(rooms.lastEgressOf(roomId).status).toBe('starting')
  answer.resolve()
})

describe('a media room that is gone', () => {
  test.each([
    ['the written part is kept', true, ['started', 'stopped', 'uploaded', 'available']],
    ['there is nothing to keep', false, ['started', 'stopped', 'failed']],
  ])(
    'ends the recording when nobody comes back, by the storage: %s',
    async (_, isThere, published) => {
      const { roomId } = await begin()
      const { egressId, outputPath } = rooms.lastEgressOf(roomId)
      // Although asked to end, the egress is still reported as writing.
      const follow = async () => {
        await rooms.run(followRecordingJob(plane.deps), roomId)
        plane.media.moveEgress(egressId, { status: 'active' })
      }
      const key = String(outputPath).split('/').slice(-3).join('/')
      if (isThere) plane.storage.objects.set(key, { body: video, mime: 'video/mp4' })
      plane.media.rooms.delete(roomId)
      await rooms.run(reconcilePass(plane.deps))
      await follow()
      rooms.later(EMPTY_MAX_MS + 1000)
      await follow()
      rooms.later(5 * MINUTE_MS - 1000)
      await follow()
      const { id, status } = await rooms.recordingOf(roomId)
      expect(status).toBe('stopped')
      rooms.later(2000)
      await rooms.settle()
      expect(await rooms.statusesOf(id)).toEqual(published)
    },
  )

  test('does not end the recording if it is made again, as after a restart of the server', async () => {
    const { roomId, moderator } = await begin()
    const { egressId } = rooms.lastEgressOf(roomId)
    const room = plane.media.rooms.get(roomId)
    if (room === undefined) throw new Error('the media room is not there')
    plane.media.rooms.delete(roomId)
    plane.media.connections.delete(roomId)
    for (let sec = 0; sec < 30; sec += 10) {
      await rooms.run(reconcilePass(plane.deps))
      await rooms.settle()
      rooms.later(10_000)
    }
    plane.media.rooms.set(roomId, { ...room, sid: 'RM_again' })
    plane.media.connect(roomId, egressId, plane.now).isPerson = false
    plane.media.connect(roomId, moderator.participantId, plane.now)
    await rooms.run(reconcilePass(plane.deps))
    rooms.later(EMPTY_MAX_MS)
    await rooms.settle()
    expect(rooms.egressesOf(roomId).map(({ status }) => status)).toEqual(['active'])
    expect((await rooms.recordingsOf(roomId)).map(({ status }) => status)).toEqual(['started'])
  })
})

describe('an egress that was aborted before it began', () => {
  test('starts again as soon as the end is reported, within five seconds', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const first = rooms.lastEgressOf(roomId)
    plane.media.moveEgress(first.egressId, { status: 'aborted' })
    await plane.database.db`delete from jobs`
    await notifyOfEgress(plane, rooms.lastEgressOf(roomId))
    // The next step is due immediately.
    const due = await plane.database.db<{ key: string }[]>`
      delete from jobs where kind = 'follow-recording' and due_at <= clock_timestamp() returning key
    `
    expect(due).toEqual([{ key: roomId }])
    await rooms.run(followRecordingJob(plane.deps), roomId)
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })
})
