import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { addRecordedRoom, jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { checkRecordingFilesJob } from './check-recording-files.job.ts'

const plane = useControlPlane()
afterEach(async () => {
  plane.storage.isDown = false
  await plane.database.db`delete from recordings`
})

/** Runs the check and returns its log. */
async function check(): Promise<string> {
  const logged = new PassThrough()
  await checkRecordingFilesJob(plane.deps).run({ ...jobRun(plane), log: pino(logged) })
  return text(logged.end())
}

async function addWithoutFile(): Promise<string> {
  const { recordingId } = await addRecordedRoom(plane)
  plane.storage.objects.delete(`${plane.tenant.tenantId}/recordings/${recordingId}`)
  return recordingId
}

const statusOf = async (recordingId: string) =>
  (await plane.tenant.get(`/recordings/${recordingId}`)).data.status

describe('the daily check of recording files', () => {
  test('expires a recording whose file is missing, with an alarm and W3', async () => {
    const gone = await addWithoutFile()
    const { recordingId: there } = await addRecordedRoom(plane)
    expect(await check()).toContain('ALARM: recording file missing')
    expect([await statusOf(gone), await statusOf(there)]).toEqual(['expired', 'available'])
    expect(await webhooksOf(plane, `recording:${gone}`)).toMatchObject([
      { data: { status: 'expired', previous_status: 'available' } },
    ])
    expect(await check()).toBe('')
  })

  test('changes nothing when many are missing, because the storage must be a different one', async () => {
    const gone = []
    for (let count = 0; count < 11; count += 1) gone.push(await addWithoutFile())
    expect(await check()).toContain('ALARM: many recording files missing')
    for (const recordingId of gone) expect(await statusOf(recordingId)).toBe('available')
  })

  test('changes nothing when all are missing, even a single one, because the storage must be a different one', async () => {
    const gone = await addWithoutFile()
    expect(await check()).toContain('ALARM: every recording file missing')
    expect(await statusOf(gone)).toBe('available')
  })

  test.each([1, 11])('runs again when none of %i files could be checked', async (files) => {
    const gone = []
    for (let count = 0; count < files; count += 1) gone.push(await addWithoutFile())
    plane.storage.isDown = true
    await expect(check()).rejects.toThrow('the storage is down')
    for (const recordingId of gone) expect(await statusOf(recordingId)).toBe('available')
  })

  test('checks the others when one file cannot be checked', async () => {
    const [failing, gone] = [await addWithoutFile(), await addWithoutFile()]
    await addRecordedRoom(plane)
    const head: typeof plane.storage.head = (key) =>
      key.endsWith(failing) ? Promise.reject(new Error('no access')) : plane.storage.head(key)
    const storage = { ...plane.storage, head }
    await checkRecordingFilesJob({ ...plane.deps, storage }).run(jobRun(plane))
    expect([await statusOf(failing), await statusOf(gone)]).toEqual(['available', 'expired'])
  })
})
