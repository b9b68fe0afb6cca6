import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { SETTINGS, type Setting } from '../storage/testing/settings.ts'
import { useControlPlane } from '../testing/control-plane.ts'
import { addRecordedRoom, deleteObjects } from '../testing/recordings.ts'

describe.each(SETTINGS)('an upload to %s', (_name, start) => {
  let setting: Setting
  beforeAll(async () => {
    setting = await start()
  })
  afterAll(() => setting.close())
  const plane = useControlPlane({
    get storage() {
      return setting.open(systemClock)
    },
  })

  const put = (url: string, body: string) => fetch(setting.reach(url), { method: 'PUT', body })
  const get = (url: string) => fetch(setting.reach(url))

  test('is put by its address, frozen by complete, read by its download address, and deleted', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const path = `/recordings/${recordingId}/processed-recording`
    const { data: pending } = await plane.tenant.post(path, { source: 'upload' })
    expect((await plane.tenant.post(`${path}/complete`)).code).toBe('UPLOAD_NOT_FOUND')

    expect((await put(pending.upload.url, 'blurred')).ok).toBe(true)
    const completed = await plane.tenant.post(`${path}/complete`, { duration_sec: 2 })
    expect([completed.status, completed.data.status, completed.data.size]).toEqual([
      200,
      'available',
      'blurred'.length,
    ])

    await put(pending.upload.url, 'swapped')
    const { data: download } = await plane.tenant.get(`${path}/download-url`)
    const file = await get(download.url)
    expect(await file.text()).toBe('blurred')
    expect(file.headers.get('content-disposition')).toContain(
      `recording-${recordingId}-processed.mp4`,
    )

    expect((await plane.tenant.delete(path)).status).toBe(204)
    await deleteObjects(plane)
    expect((await get(download.url)).ok).toBe(false)
  })

  test('that is replaced before complete is taken as it is then', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const path = `/recordings/${recordingId}/processed-recording`
    const { data } = await plane.tenant.post(path, { source: 'upload' })
    await put(data.upload.url, 'first')
    await put(data.upload.url, 'and second')
    const completed = await plane.tenant.post(`${path}/complete`)
    expect(completed.data.size).toBe('and second'.length)
  })
})
