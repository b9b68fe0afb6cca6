import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { jobRun } from '../../testing/recordings.ts'
import { resizeMediaRoomJob } from './resize-media-room.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const HOUR_MS = 3_600_000

// contract: patchSession › The media room lives as long as the moved slot needs
test('a media room stays when its slot is moved after a person was admitted, who is about to connect', async () => {
  const room = await plane.book({ startsInMin: 1 })
  await live.enter(room.id, 'panelist')
  const sidOf = () => plane.media.rooms.get(room.id)?.sid
  const before = sidOf()
  const ends_at = new Date(plane.now.getTime() + 5 * HOUR_MS).toISOString()
  const { status } = await plane.tenant.patch(`/sessions/${room.session.id}`, { ends_at })
  expect(status).toBe(200)
  await resizeMediaRoomJob(plane.deps).run({ ...jobRun(plane), key: room.id })
  expect(sidOf()).toBe(before)
})
