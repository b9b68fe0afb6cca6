import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LOST } from './refusal.ts'
import { advance, CHOICE, world } from './testing/call-world.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('joining again after an outage keeps unsent messages and drafts', async () => {
  const { call, seen } = world()
  await call.join(CHOICE)
  const before = call.live
  before?.chat.sendText('public', 'written while offline')
  before?.drafts.set('public', 'being writ')
  await advance(0)
  seen.live[0]?.onEnded(LOST)
  await call.joinAgain()
  await advance(0)
  expect(call.live).not.toBe(before)
  expect(call.live?.drafts.get('public')).toBe('being writ')
  expect(call.live?.store.getState().outgoing).toMatchObject([{ text: 'written while offline' }])
})
