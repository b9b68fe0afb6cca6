import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withTimeLimit } from './time-limit.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('aborts work that takes too long, with the reason', async () => {
  const hanging = withTimeLimit(20, async (signal) => {
    await once(signal, 'abort')
    throw signal.reason
  })
  await expect(hanging).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('leaves no timer after the work, whether it succeeded or failed', async () => {
  const before = timers()
  expect(await withTimeLimit(60_000, async () => 'done')).toBe('done')
  await expect(
    withTimeLimit(60_000, async () => {
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  expect(timers()).toBe(before)
})
