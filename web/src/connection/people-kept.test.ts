import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Person } from './call-state.ts'
import { advance, CHOICE, world } from './testing/call-world.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const person = (name: string, isLocal = false): Person => ({
  identity: name.toLowerCase(),
  name,
  role: null,
  isLocal,
  isSpeaking: !isLocal,
  isMuted: false,
  picture: null,
  screen: null,
  quality: 'good',
})
const ME = person('Pana', true)

test('the people who are there stay visible during a reconnect', async () => {
  const { call, fakes, latest } = world()
  const seen = () => {
    const state = call.getState()
    return 'scene' in state ? state.scene.people.map((one) => [one.name, one.isSpeaking]) : []
  }
  fakes.people = [ME, person('Mori'), person('Gone')]
  await call.join(CHOICE)
  latest().interrupted()
  fakes.people = [ME]
  latest().changed()
  const kept = [
    ['Pana', false],
    ['Mori', false],
    ['Gone', false],
  ]
  expect(seen()).toEqual(kept)

  latest().ended('dropped')
  // A connection that is not up knows no people and no own identity.
  fakes.people = [person('', true)]
  fakes.connectFails = 1
  await advance(600)
  latest().changed()
  expect(call.getState().phase).toBe('reconnecting')
  expect(seen()).toEqual(kept)

  fakes.people = [ME, person('Mori')]
  await advance(10_000)
  expect(call.getState().phase).toBe('live')
  expect(seen()).toEqual([
    ['Pana', false],
    ['Mori', true],
  ])
})
