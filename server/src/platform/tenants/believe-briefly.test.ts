import { beforeEach, expect, test, vi } from 'vitest'
import { createBriefBelief } from './believe-briefly.ts'

let now = new Date('2026-06-01T10:00:00.000Z')
const believe = () => createBriefBelief<string>({ clock: () => now })
const down = async () => {
  throw new Error('the database is away')
}
const after = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

beforeEach(() => {
  now = new Date('2026-06-01T10:00:00.000Z')
})

test('many at the same moment ask once', async () => {
  const belief = believe()
  const found = Promise.withResolvers<string>()
  const lookUp = vi.fn(() => found.promise)
  const answers = Array.from({ length: 200 }, () => belief('key', lookUp))
  found.resolve('tenant')
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['tenant']))
  expect(lookUp).toHaveBeenCalledTimes(1)
})

test('asks again after 900 ms, counted from the question', async () => {
  const belief = believe()
  const slow = Promise.withResolvers<string>()
  const first = belief('key', () => slow.promise)
  after(899)
  const second = belief('key', async () => 'asked again')
  after(1)
  const third = belief('key', async () => 'asked again')
  slow.resolve('first')
  expect(await Promise.all([first, second, third])).toEqual(['first', 'first', 'asked again'])
  expect(await belief('key', async () => 'and again')).toBe('asked again')
})

test('remembers neither a failure nor an absence', async () => {
  const belief = believe()
  const failed = [belief('key', down), belief('key', async () => 'not asked')]
  await Promise.all(failed.map((one) => expect(one).rejects.toThrow('away')))
  expect(await belief('key', async () => undefined)).toBeUndefined()
  expect(await belief('key', async () => 'tenant')).toBe('tenant')
})

test('an answer that comes late and found nothing does not drop a newer one', async () => {
  const belief = believe()
  const slow = Promise.withResolvers<string | undefined>()
  const first = belief('key', () => slow.promise)
  after(1_000)
  expect(await belief('key', async () => 'created since')).toBe('created since')
  slow.resolve(undefined)
  expect(await first).toBeUndefined()
  expect(await belief('key', async () => 'not asked')).toBe('created since')
})
