import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { addRecordedRoom, jobRun, putObject, webhooksOf } from '../../../testing/recordings.ts'
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

async function missing(): Promise<string[]> {
  const rows = await plane.database.db<{ key: string }[]>`
    select storage_key as key from storage_differences where kind = 'missing'
  `
  return rows.map(({ key }) => key)
}

const statusOf = async (recordingId: string) =>
  (await plane.tenant.get(`/recordings/${recordingId}`)).data.status

describe('the daily check of recording files', () => {
  test('reports a missing file by an alarm each day, and neither changes nor announces the recording', async () => {
    const gone = await addWithoutFile()
    const { recordingId: there } = await addRecordedRoom(plane)
    for (let day = 0; day < 2; day += 1) {
      const log = await check()
      expect(log).toContain('ALARM: recording file missing')
      expect([log.includes(gone), log.includes(there)]).toEqual([true, false])
      expect(await missing()).toEqual([`${plane.tenant.tenantId}/recordings/${gone}`])
    }
    expect(await statusOf(gone)).toBe('available')
    expect(await webhooksOf(plane, `recording:${gone}`)).toEqual([])
    putObject(plane, `${plane.tenant.tenantId}/recordings/${gone}`, 'restored')
    expect(await check()).toBe('')
    expect(await missing()).toEqual([])
  })

  test('raises one alarm when many are missing, because the storage must be a different one', async () => {
    const gone = []
    for (let count = 0; count < 11; count += 1) gone.push(await addWithoutFile())
    expect(await check()).toContain('ALARM: many recording files missing')
    for (const recordingId of gone) expect(await statusOf(recordingId)).toBe('available')
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
    expect(await missing()).toEqual([`${plane.tenant.tenantId}/recordings/${gone}`])
  })
})
