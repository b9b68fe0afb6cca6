import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../testing/control-plane.ts'
import { useLiveRooms } from '../testing/live-room.ts'
import { useRecordedRooms } from '../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

describe('an individual recording', () => {
  test('is one egress for each who publishes, newcomers too, and becomes one archive', async () => {
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
})
