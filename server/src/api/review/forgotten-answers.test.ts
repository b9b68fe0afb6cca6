import { expect, test } from 'vitest'
import { eraseDataSubjectJob } from '../../domain/data-protection/erase-data-subject.job.ts'
import { expireRecordingsOfRoom } from '../../domain/recording/delete-recording.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { findInDatabase } from '../../testing/find-in-database.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { addRecordedRoom, addRecording } from '../../testing/recordings.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'
import { forgetAnswers } from '../idempotency/forget-answers.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

/** A viewer comments and cuts a clip, each under an Idempotency-Key. */
async function reviewed(word: string, recorded?: { roomId: string; recordingId: string }) {
  const { roomId, recordingId } = recorded ?? (await addRecordedRoom(plane))
  const token = await live.acting.signViewerToken({
    recording_id: recordingId,
    name: `Viewer ${word}`,
    may: ['comment', 'clip'],
  })
  const post = async (what: string, body: unknown) => {
    const headers = { 'idempotency-key': `${what} ${word}`.replace(' ', '-') }
    const path = `/recordings/${recordingId}/${what}`
    const { status, data } = await callAsViewer(plane.app, ['POST', path], { token, body, headers })
    expect(status).toBe(201)
    return data.id as string
  }
  const commentId = await post('comments', { text: `Said ${word}` })
  const clipId = await post('clips', { start_sec: 1, end_sec: 3, title: `Cut ${word}` })
  return { roomId, recordingId, commentId, clipId }
}

const find = (word: string) =>
  findInDatabase(plane.database.db, [`Said ${word}`, `Cut ${word}`, `Viewer ${word}`])

// contract: deleteRecording › Nothing of it is left, not even in the answers that are kept for repeats
test('a deleted recording is in no kept answer', async () => {
  const { recordingId } = await reviewed('avocado')
  expect(await find('avocado')).toContain('idempotency_keys: Said avocado')
  const url = `/api/v1/recordings/${recordingId}`
  expect((await plane.tenant.send({ method: 'DELETE', url })).status).toBe(204)
  expect(await find('avocado')).toEqual([])
})

test('a recording whose file expired is in no kept answer', async () => {
  const { roomId } = await reviewed('broccoli')
  const key = { tenantId: plane.tenant.tenantId, roomId }
  await inTransaction(plane.database.db, (tx) => expireRecordingsOfRoom(tx, key, plane.now))
  expect(await find('broccoli')).toEqual([])
})

test('a deleted clip is in no kept answer, and the comment stays', async () => {
  const { clipId } = await reviewed('cabbage')
  const url = `/api/v1/clips/${clipId}`
  expect((await plane.tenant.send({ method: 'DELETE', url })).status).toBe(204)
  const kept = await plane.database.db<{ body: string }[]>`
    select body from idempotency_keys where body like '%cabbage%'
  `
  expect(kept.map(({ body }) => body)).toEqual([expect.stringContaining('Said cabbage')])
})

// contract: requestErasure › When it is done, nothing that was said of the person's recordings is left
test('the recording of an erased person is in no kept answer', async () => {
  plane.now = new Date()
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const person = { external_type: 'User', external_id: 'forgotten-person' }
  await live.enter(roomId, 'panelist', { participant: person })
  await reviewed('eggplant', { roomId, recordingId: await addRecording(plane, roomId) })
  await plane.tenant.post(`/rooms/${roomId}/close`, {})
  plane.now = new Date(plane.now.getTime() + 3 * 60 * 60_000)
  const { data } = await plane.tenant.post('/data-subjects/erasures', person)
  await runJobs(plane.database.db, eraseDataSubjectJob({ ...plane.deps, forgetAnswers }))
  const erased = await plane.tenant.get(`/data-subjects/erasures/${data.id}`)
  expect(erased.data).toMatchObject({ state: 'done', removed: { recordings: 1 } })
  expect(await find('eggplant')).toEqual([])
})
