import { expect, test } from 'vitest'
import { takeSimulated } from '../../domain/notifications/take-notification.ts'
import { useSandbox } from '../../testing/sandbox.ts'
import { booking } from '../../testing/tenant-client.ts'
import { newVideoKey } from '../storage/object-key.ts'
import { createSimulatedMedia } from './simulated-media.ts'

const plane = useSandbox({ hasWorkers: false })
const SECOND_MS = 1_000
const ORDER = {
  recorder: 'simulated',
  identity: undefined,
  width: 640,
  height: 480,
  frameRate: 25,
  videoKbps: 500,
}
const BUCKET = {
  kind: 's3',
  bucket: 'tests',
  region: 'eu-test-1',
  endpoint: undefined,
  forcePathStyle: true,
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  sessionToken: undefined,
} as const

test('a recorder that two processes end at different times has the length of the first end', async () => {
  const { db, storage } = plane.deps
  const mediaRoom: string = (await plane.sandbox.post('/rooms', booking())).data.id
  const startMs = Date.now()
  let nowMs = startMs
  const clock = () => new Date(nowMs)
  const held = Promise.withResolvers<void>()
  const isAsked = Promise.withResolvers<void>()
  const holding = {
    ...storage,
    async put(...given: Parameters<typeof storage.put>) {
      isAsked.resolve()
      await held.promise
      return storage.put(...given)
    },
  }
  const [slow, quick] = [holding, storage].map((used) =>
    createSimulatedMedia({ db, clock, storage: used, notify: takeSimulated }),
  )
  const key = newVideoKey(plane.sandbox.tenantId, 'recording-parts')
  const started = await quick?.startEgress({ ...ORDER, mediaRoom, output: { ...BUCKET, key } })
  const egress = { egressId: started?.egressId ?? '', recorder: null }

  nowMs = startMs + 2 * SECOND_MS
  const slowly = slow?.stopEgress(egress)
  await isAsked.promise
  nowMs = startMs + 9 * SECOND_MS
  await quick?.stopEgress(egress)
  held.resolve()
  await slowly

  const [ended] = (await quick?.listEgress(mediaRoom, []))?.egresses ?? []
  expect(ended?.file?.durationSec).toBe(2)
  expect(await storage.head(key)).toMatchObject({ sizeBytes: ended?.file?.sizeBytes })
})
