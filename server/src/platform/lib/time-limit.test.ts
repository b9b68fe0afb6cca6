import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withTimeLimit } from './time-limit.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('what takes too long is ended, with the reason', async () => {
  const hanging = withTimeLimit(20, async (signal) => {
    await once(signal, 'abort')
    throw signal.reason
  })
  await expect(hanging).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('what is done leaves no limit behind, whether it succeeded or failed', async () => {
  const before = timers()
  expect(await withTimeLimit(60_000, async () => 'done')).toBe('done')
  await expect(
    withTimeLimit(60_000, async () => {
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  expect(timers()).toBe(before)
})
