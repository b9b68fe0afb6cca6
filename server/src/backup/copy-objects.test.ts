import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createFakeStorage } from '../testing/fake-storage.ts'
import { copyObjects } from './copy-objects.ts'

const store = (content: string) => ({
  key: `${randomUUID()}/files/${randomUUID()}`,
  object: { body: Buffer.from(content), mime: 'text/plain' },
})

const readBroken = async () => Readable.from([]).destroy(new Error('the disk is broken'))

test('an installation that deletes something meanwhile is copied without that', async () => {
  const [kept, deleted] = [store('kept'), store('deleted')]
  const from = createFakeStorage()
  for (const { key, object } of [deleted, kept]) from.objects.set(key, object)
  const to = createFakeStorage()
  const read: typeof from.read = async (key) => {
    from.objects.delete(deleted.key)
    return from.read(key)
  }
  expect(await copyObjects({ ...from, read }, to)).toEqual({ count: 1, sizeBytes: 4 })
  expect([...to.objects.keys()]).toEqual([kept.key])
})

test('an existing object that cannot be read ends the copy', async () => {
  const { key, object } = store('kept')
  const from = createFakeStorage()
  from.objects.set(key, object)
  const storage = { ...from, read: readBroken }
  await expect(copyObjects(storage, createFakeStorage())).rejects.toThrow('the disk is broken')
})
