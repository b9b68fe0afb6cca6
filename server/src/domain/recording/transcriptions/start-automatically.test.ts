import { expect, test } from 'vitest'
import { inTransaction } from '../../../platform/db/db.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { addRecordedRoom } from '../../../testing/recordings.ts'
import { markAvailable } from '../recording-files/mark-available.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { startAutomatically } from './start-transcription.ts'

const plane = useControlPlane()

/** A recording whose file is stored but not published yet. */
async function uploaded() {
  const { roomId, recordingId } = await addRecordedRoom(plane, { status: 'uploaded' })
  const { tenantId } = plane.tenant
  const publish = async () => {
    const key = { tenantId, recordingId }
    const recording = await inTransaction(plane.database.db, (tx) => lockRecording(tx, key))
    const deps = { ...plane.deps, onAvailable: startAutomatically }
    await markAvailable(deps, recording, AbortSignal.timeout(10_000))
  }
  const list = async () =>
    (await plane.tenant.get(`/recordings/${recordingId}/transcriptions`)).data.items
  return { roomId, recordingId, publish, list }
}

// contract: States of a Transcription › A recording that becomes available is transcribed with the
//   defaults of its room
test('a recording that becomes available is transcribed with the language and engine of its room', async () => {
  const { roomId, publish, list } = await uploaded()
  const room = { transcription_language: 'th-TH', transcription_service: 'engine_b' }
  expect((await plane.tenant.patch(`/rooms/${roomId}`, room)).status).toBe(200)
  await publish()
  expect(await list()).toMatchObject([
    { language: 'th-TH', provider: 'engine_b', kind: 'transcription', status: 'sending_request' },
  ])
})

test('two concurrent workers that make it available start one transcription', async () => {
  const { publish, list } = await uploaded()
  await Promise.all([publish(), publish()])
  expect(await list()).toHaveLength(1)
})

// contract: States of a Transcription › The recording of a connection test is not
test('the recording of a connection test is not transcribed', async () => {
  const { roomId, recordingId, publish, list } = await uploaded()
  await plane.database.db`update rooms set kind = 'connection_test' where id = ${roomId}`
  await publish()
  const [recording] = await plane.database.db`
    select status from recordings where id = ${recordingId}
  `
  expect(recording).toEqual({ status: 'available' })
  expect(await list()).toEqual([])
})
