import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../../../platform/storage/testing/settings.ts'
import { deleteObjects, jobRun } from '../../../testing/recordings.ts'
import { type TrimOrder, useTrims } from '../../../testing/trims.ts'
import { expireRecordingsJob } from '../expire-recordings.job.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe.each(SETTINGS)('the files of recordings in %s', (_name, start) => {
  const trims = useTrims(start)
  const { plane } = trims

  const sizeOf = async (key: string) => (await trims.storage().head(key))?.sizeBytes

  async function processedKeysOf({ id }: TrimOrder): Promise<string[]> {
    return (await trims.processedKeys()).filter((key) => key.includes(id))
  }

  test('are deleted with the recording: its own and the trimmed one', async () => {
    const order = await trims.order({ start: 0, end: 1 })
    await trims.run(order)
    const { size } = await trims.read(order.address)
    const [processedKey = ''] = await processedKeysOf(order)
    expect(await sizeOf(processedKey)).toBe(size)
    expect(await sizeOf(order.sourceKey)).toBeGreaterThan(1000)

    const { status } = await plane.tenant.delete(`/recordings/${order.recordingId}`)
    expect(status).toBe(204)
    await deleteObjects(plane)
    expect(await sizeOf(order.sourceKey)).toBeUndefined()
    expect(await processedKeysOf(order)).toEqual([])
  })

  test('are deleted when the recording expires, and issued addresses stop working', async () => {
    const order = await trims.order()
    const address = `/recordings/${order.recordingId}/download-url`
    const before = await plane.tenant.get(address)
    expect(before.status).toBe(200)
    const issued = await plane.database.db`
      select 1 from download_accesses where recording_id = ${order.recordingId}
    `
    expect(issued).toHaveLength(1)

    const config = { ...plane.deps.config, recordingRetentionDays: 30 }
    const clock = () => new Date(plane.now.getTime() + 31 * DAY_MS)
    await expireRecordingsJob({ ...plane.deps, config, clock }).run(jobRun(plane))
    await deleteObjects(plane)
    expect(await sizeOf(order.sourceKey)).toBeUndefined()
    const after = await plane.tenant.get(address)
    expect([after.status, after.code]).toEqual([409, 'RECORDING_NOT_AVAILABLE'])
  })
})
