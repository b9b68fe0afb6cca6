import { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import type { Storage } from '../../platform/ports/storage.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { createFakeStorage } from '../../testing/fake-storage.ts'
import { file, multipartOf, SAMPLES } from '../../testing/multipart.ts'

const plane = useControlPlane()
const apps: { close(): unknown }[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** Answers every read as a storage that works, with other bytes than it was given. */
function storageWith(other: Buffer): Storage {
  const fake = createFakeStorage()
  return {
    ...fake,
    read: async () => Readable.from([other]),
    async locate(key, options) {
      fake.objects.set(key, { body: other, mime: 'application/octet-stream' })
      return fake.locate(key, options)
    },
  }
}

async function serviceOn(storage: Storage) {
  const app = await createApp({ ...plane.deps, storage })
  apps.push(app)
  return app
}

async function upload(storage: Storage, name: string, content: Buffer) {
  const { session } = await plane.book()
  const form = multipartOf([
    ['file', file(name, content)],
    ['content_type', name.endsWith('.png') ? 'image' : 'video'],
  ])
  const app = await serviceOn(storage)
  return app.inject({
    method: 'POST',
    url: `/api/v1/sessions/${session.id}/handouts`,
    headers: { authorization: plane.tenant.authorization, 'content-type': form.contentType },
    payload: form.payload,
  })
}

const PAGE = Buffer.from('<html>The bucket is being moved.</html>')

describe('a storage that answers with other bytes', () => {
  test.each([
    ['plan.png', SAMPLES.png, PAGE],
    ['plan.png', SAMPLES.png, SAMPLES.gif],
    ['film.mp4', SAMPLES.mp4, PAGE],
  ])('is not blamed on the sender of %s', async (name, content, other) => {
    const answer = await upload(storageWith(other), name, content)
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(answer.headers['retry-after']).toBe('2')
  })

  test('is found by readiness', async () => {
    const app = await serviceOn(storageWith(PAGE))
    const { checks } = (await app.inject('/health/ready')).json()
    expect(checks['storage:roundTrip']).toMatchObject([
      { status: 'warn', output: 'The storage returns other bytes than it is given.' },
    ])
  })

  test('leaves nothing of the probe in one that works', async () => {
    const storage = createFakeStorage()
    const app = await serviceOn(storage)
    const { checks } = (await app.inject('/health/ready')).json()
    expect(checks['storage:roundTrip']).toBeUndefined()
    expect(storage.objects.size).toBe(0)
  })
})

test('a file that cannot be shown is the blame of its sender, where the storage has kept it', async () => {
  const broken = Buffer.concat([SAMPLES.png.subarray(0, 40), Buffer.alloc(200)])
  const answer = await upload(createFakeStorage(), 'plan.png', broken)
  expect(answer.json().error.code).toBe('UNSUPPORTED_FILE_TYPE')
})
