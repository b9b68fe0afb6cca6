import { beforeAll, expect, test } from 'vitest'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  addRecordedRoom,
  deleteObjects,
  jobRun,
  putObject,
  setClipMade,
} from '../../testing/recordings.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'
import { expireRecordingsJob } from './expire-recordings.job.ts'

const plane = useControlPlane()
const DAY_MS = 24 * 60 * 60 * 1000

let acting: ActingTenant
beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

/** A recording with a finished clip, a pending one and a comment. */
async function reviewedRecording() {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  const range = { start_sec: 0, end_sec: 60.5 }
  const order = () => plane.tenant.post(`/recordings/${recordingId}/clips`, range)
  const [made, pending] = [(await order()).data, (await order()).data]
  const clipKey = await setClipMade(plane, made.id)
  const token = await acting.signViewerToken({ recording_id: recordingId, may: ['comment'] })
  const comments = `/recordings/${recordingId}/comments`
  const body = { text: 'She reads the label twice.' }
  expect((await callAsViewer(plane.app, ['POST', comments], { token, body })).status).toBe(201)
  const voiceKey = `${plane.tenant.tenantId}/voices/${recordingId}.webm`
  putObject(plane, voiceKey, 'a voice')
  await plane.database.db`
    insert into recording_voices (recording_id, media_identity, storage_key)
    values (${recordingId}, 'person', ${voiceKey})
  `
  return { roomId, recordingId, clipIds: [made.id, pending.id], clipKey, voiceKey }
}

// contract: createClip › Deleted together with the recording, and with its file
test("a file is deleted after the operator's number of days, with its clips, comments and voices", async () => {
  const due = await reviewedRecording()
  const held = await reviewedRecording()
  const hold = { room_id: held.roomId, reason: 'Case 2030-117' }
  expect((await plane.tenant.post('/legal-holds', hold)).status).toBe(201)
  const config = { ...plane.deps.config, recordingRetentionDays: 30 }
  const clock = () => new Date(plane.now.getTime() + 31 * DAY_MS)
  await expireRecordingsJob({ ...plane.deps, config, clock }).run(jobRun(plane))
  await deleteObjects(plane)
  const left = async ({ recordingId, clipIds, clipKey, voiceKey }: typeof due) => ({
    status: (await plane.tenant.get(`/recordings/${recordingId}`)).data.status,
    clips: await Promise.all(
      clipIds.map(async (id) => (await plane.tenant.get(`/clips/${id}`)).status),
    ),
    hasClipFile: plane.storage.objects.has(clipKey),
    hasVoice: plane.storage.objects.has(voiceKey),
    comments: (
      await plane.database.db`select 1 from recording_comments where recording_id = ${recordingId}`
    ).length,
  })
  expect(await left(due)).toEqual({
    status: 'expired',
    clips: [404, 404],
    hasClipFile: false,
    hasVoice: false,
    comments: 0,
  })
  expect(await left(held)).toEqual({
    status: 'available',
    clips: [200, 200],
    hasClipFile: true,
    hasVoice: true,
    comments: 1,
  })
})
