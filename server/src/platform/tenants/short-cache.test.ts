import { beforeEach, expect, test, vi } from 'vitest'
import { createShortCache } from './short-cache.ts'

let now = new Date('2026-06-01T10:00:00.000Z')
const openCache = () => createShortCache<string | undefined>({ clock: () => now })
const after = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

async function down(): Promise<string> {
  throw new Error('the database is away')
}

beforeEach(() => {
  now = new Date('2026-06-01T10:00:00.000Z')
})

test('many at the same moment ask once', async () => {
  const cached = openCache()
  const found = Promise.withResolvers<string>()
  const lookUp = vi.fn(() => found.promise)
  const answers = Array.from({ length: 200 }, () => cached('key', lookUp))
  found.resolve('tenant')
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['tenant']))
  expect(lookUp).toHaveBeenCalledTimes(1)
})

test('asks again after 900 ms, counted from the question', async () => {
  const cached = openCache()
  const slow = Promise.withResolvers<string>()
  const first = cached('key', () => slow.promise)
  after(899)
  const second = cached('key', async () => 'asked again')
  after(1)
  const third = cached('key', async () => 'asked again')
  slow.resolve('first')
  expect(await Promise.all([first, second, third])).toEqual(['first', 'first', 'asked again'])
  expect(await cached('key', async () => 'and again')).toBe('asked again')
})

test('remembers neither a failure nor an absence', async () => {
  const cached = openCache()
  const failed = [cached('key', down), cached('key', async () => 'not asked')]
  await Promise.all(failed.map((one) => expect(one).rejects.toThrow('away')))
  expect(await cached('key', async () => undefined)).toBeUndefined()
  expect(await cached('key', async () => 'tenant')).toBe('tenant')
})

test('an answer that comes late and found nothing does not drop a newer one', async () => {
  const cached = openCache()
  const slow = Promise.withResolvers<string | undefined>()
  const first = cached('key', () => slow.promise)
  after(1_000)
  expect(await cached('key', async () => 'created since')).toBe('created since')
  slow.resolve(undefined)
  expect(await first).toBeUndefined()
  expect(await cached('key', async () => 'not asked')).toBe('created since')
})
