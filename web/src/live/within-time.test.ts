import { expect, test, vi } from 'vitest'
import { withinTime } from './within-time.ts'

const WAIT = { timeout: 60_000 }

const LONG_MS = 60_000

test('aborts with the other signal, for its reason', () => {
  const leaving = new AbortController()
  const within = withinTime(leaving.signal, LONG_MS)
  expect(within.aborted).toBe(false)
  leaving.abort('left')
  expect(within.reason).toBe('left')
})

test('is aborted if the other signal was aborted before', () => {
  expect(withinTime(AbortSignal.abort('left'), LONG_MS).reason).toBe('left')
})

test('aborts when the time is over', async () => {
  const within = withinTime(new AbortController().signal, 1)
  await vi.waitFor(() => expect(within.reason).toMatchObject({ name: 'TimeoutError' }), WAIT)
})
