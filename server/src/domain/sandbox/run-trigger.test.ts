import { expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom, jobRun, setClipMade } from '../../testing/recordings.ts'
import { runTriggerJob } from './run-trigger.job.ts'

const plane = useControlPlane()
const MINUTE_MS = 60_000

/** Runs a trigger whose recording already exists. */
async function run(roomId: string, type: string, { untilMin = 10 } = {}) {
  const until = new Date(plane.now.getTime() + untilMin * MINUTE_MS).toISOString()
  const trigger = { tenantId: plane.tenant.tenantId, roomId, mediaIdentity: 'nobody' }
  const payload = { ...trigger, type, failureReason: null, before: null, until }
  return runTriggerJob(plane.deps).run({ ...jobRun(plane), payload })
}

test('a trigger whose worker dies after ordering a clip does not order another one', async () => {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  for (const _ of ['first', 'repeat']) {
    expect(await run(roomId, 'clip.status_changed')).toEqual({ outcome: 'done' })
  }
  const clips = (await plane.tenant.get(`/recordings/${recordingId}/clips`)).data.items
  expect(clips).toMatchObject([{ title: 'Simulated clip' }])
})

test('a trigger of a reel waits for its clip, and orders one reel of it', async () => {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  const again = expect.objectContaining({ outcome: 'again' })
  expect(await run(roomId, 'reel.status_changed')).toEqual(again)
  const [clip] = (await plane.tenant.get(`/recordings/${recordingId}/clips`)).data.items
  await setClipMade(plane, clip.id)
  for (const _ of ['first', 'repeat']) {
    expect(await run(roomId, 'reel.status_changed')).toEqual({ outcome: 'done' })
  }
  const reels = (await plane.tenant.get(`/rooms/${roomId}/reels`)).data.items
  expect(reels).toMatchObject([{ title: 'Simulated reel', clip_ids: [clip.id] }])
})

test.each(['clip.status_changed', 'processed_recording.status_changed'])(
  'a refused trigger of %s ends in time, because an archive cannot be cut',
  async (type) => {
    const { roomId } = await addRecordedRoom(plane, { outputMode: 'individual' })
    await expect(run(roomId, type)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(await run(roomId, type, { untilMin: 0 })).toEqual({ outcome: 'done' })
  },
)
