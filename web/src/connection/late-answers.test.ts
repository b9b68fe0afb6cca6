import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from './live-api.ts'
import { REMOVED } from './refusal.ts'
import { advance, CHOICE, ENTRY, world } from './testing/call-world.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An answer of the service that arrives when `come` is called. */
function lateAnswer() {
  let come!: (answer: Answer<EntryBody>) => void
  const answer = new Promise<Answer<EntryBody>>((resolve) => {
    come = resolve
  })
  return { answer, come }
}

test('an entry that is answered after the page has failed opens nothing', async () => {
  const { call, fakes, seen } = world()
  const { answer, come } = lateAnswer()
  fakes.entry = answer
  const joined = call.join(CHOICE)
  await call.leave()
  come({ ok: true, data: ENTRY })
  await joined
  await advance(1_000)
  expect({ opened: seen.opened, live: seen.live }).toEqual({ opened: [], live: [] })
})

test('a late explanation of a removal does not affect the next visit', async () => {
  const { call, fakes, seen, latest } = world()
  await call.join(CHOICE)
  const { answer, come } = lateAnswer()
  fakes.renewal = answer
  latest().ended('removed')
  seen.live[0]?.onEnded(REMOVED)
  await call.joinAgain()
  come({ ok: true, data: ENTRY })
  await advance(0)
  expect(call.getState().phase).toBe('live')
})
