import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { addRecordedRoom, jobRun, webhooksOf } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { checkRecordingFilesJob } from './check-recording-files.job.ts'

const plane = useControlPlane()
afterEach(async () => {
  plane.storage.isDown = false
  await plane.database.db`delete from recordings`
})

/** What a run of the check writes into the log. */
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
  test('expires a recording whose file is gone, with an alarm and W3', async () => {
    const gone = await addWithoutFile()
    const { recordingId: there } = await addRecordedRoom(plane)
    expect(await check()).toContain('ALARM: recording file missing')
    expect([await statusOf(gone), await statusOf(there)]).toEqual(['expired', 'available'])
    expect(await webhooksOf(plane, `recording:${gone}`)).toMatchObject([
      { data: { status: 'expired', previous_status: 'available' } },
    ])
    expect(await check()).toBe('')
  })

  test('changes nothing when many are missing: that is another storage', async () => {
    const gone = []
    for (let count = 0; count < 11; count += 1) gone.push(await addWithoutFile())
    expect(await check()).toContain('ALARM: many recording files missing')
    for (const recordingId of gone) expect(await statusOf(recordingId)).toBe('available')
  })

  test('changes nothing when every one is missing, also a single one: that is another storage, too', async () => {
    const gone = await addWithoutFile()
    expect(await check()).toContain('ALARM: every recording file missing')
    expect(await statusOf(gone)).toBe('available')
  })

  test('takes a storage that is down for no answer, and looks at the file again', async () => {
    const recordingId = await addWithoutFile()
    const { recordingId: there } = await addRecordedRoom(plane)
    plane.storage.isDown = true
    expect(await check()).toContain('the storage is down')
    expect(await statusOf(recordingId)).toBe('available')
    plane.storage.isDown = false
    await runJobs(plane.database.db, checkRecordingFilesJob(plane.deps))
    expect([await statusOf(recordingId), await statusOf(there)]).toEqual(['expired', 'available'])
  })

  test('looks at a file again, and changes nothing when every one is missing by then', async () => {
    const recordingId = await addWithoutFile()
    plane.storage.isDown = true
    await check()
    plane.storage.isDown = false
    await runJobs(plane.database.db, checkRecordingFilesJob(plane.deps))
    expect(await statusOf(recordingId)).toBe('available')
  })

  test('comes again when it is no answer for many', async () => {
    for (let count = 0; count < 11; count += 1) await addWithoutFile()
    plane.storage.isDown = true
    await expect(check()).rejects.toThrow('the storage is down')
  })

  test('looks at the others where one file cannot be asked for', async () => {
    const [failing, gone] = [await addWithoutFile(), await addWithoutFile()]
    await addRecordedRoom(plane)
    const head: typeof plane.storage.head = (key) =>
      key.endsWith(failing) ? Promise.reject(new Error('no access')) : plane.storage.head(key)
    const storage = { ...plane.storage, head }
    await checkRecordingFilesJob({ ...plane.deps, storage }).run(jobRun(plane))
    expect([await statusOf(failing), await statusOf(gone)]).toEqual(['available', 'expired'])
  })
})
