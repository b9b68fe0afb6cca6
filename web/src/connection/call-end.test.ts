import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from './live-api.ts'
import { CLOSED, ELSEWHERE, OVER, type Refusal, UNAVAILABLE } from './refusal.ts'
import { CHOICE, ENTRY, advance, world } from './testing/call-world.ts'

const BANNED: Refusal = { page: 'banned', code: 'PARTICIPANT_BANNED' }

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the end', () => {
  test.each<[string, Refusal]>([
    ['a closed room', CLOSED],
    ['the end of the window', OVER],
  ])('by %s has its page', async (_, refusal) => {
    const { call, fakes, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = { ok: false, refusal }
    latest().ended('closed')
    await advance(0)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal })
  })

  test('of a media room that the service has not closed is ignored: the page connects again', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = { ok: false, refusal: UNAVAILABLE }
    latest().ended('closed')
    await advance(0)
    expect(call.getState().phase).toBe('reconnecting')
    fakes.renewal = { ok: true, data: ENTRY }
    await advance(3_000)
    expect(call.getState().phase).toBe('live')
    expect(seen.opened).toHaveLength(2)
  })

  test.each<[string, Answer<EntryBody>, string]>([
    ['a ban', { ok: false, refusal: BANNED }, 'banned'],
    ['a close', { ok: false, refusal: CLOSED }, 'closed'],
    ['a newer entry of the person', { ok: false, refusal: ELSEWHERE }, 'elsewhere'],
    ['nothing that the service knows of', { ok: true, data: ENTRY }, 'removed'],
    ['something that cannot be asked', { ok: false, refusal: UNAVAILABLE }, 'removed'],
  ])('by a removal for %s has its page', async (_, renewal, page) => {
    const { call, fakes, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = renewal
    latest().ended('removed')
    await advance(0)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page } })
  })

  test('by an event of the live stream is shown immediately, and closes the media connection', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    seen.live[0]?.onEnded(BANNED)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: BANNED })
    expect(seen).toMatchObject({ closed: 1, liveClosed: 1 })
  })

  test('a late event from the live stream of an earlier visit changes nothing', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await call.leave()
    await call.joinAgain()
    seen.live[0]?.onEnded(BANNED)
    expect(call.getState().phase).toBe('live')
    expect(seen.liveClosed).toBe(1)
  })

  test('by the same link elsewhere does not reconnect', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = { ok: false, refusal: ELSEWHERE }
    latest().ended('elsewhere')
    await advance(60_000)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'elsewhere' } })
    expect(seen.opened).toHaveLength(1)
  })

  test('by an older page that was offline is undone: the newest entry gets its place back', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().ended('elsewhere')
    await advance(60_000)
    expect(call.getState().phase).toBe('live')
    expect(seen.opened).toHaveLength(2)
  })

  test('by a ban during an outage is shown when the service is available again', async () => {
    const { call, fakes, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = { ok: false, refusal: BANNED }
    latest().ended('dropped')
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: BANNED })
  })

  test('by leaving closes the media connection and stops renewing', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await call.leave()
    await advance(60 * 60_000)
    expect(call.getState().phase).toBe('left')
    expect(seen.closed).toBe(1)
    expect(seen.renewals).toEqual([])
  })

  test('can be followed by joining again with the same choices', async () => {
    const { call } = world()
    await call.join(CHOICE)
    await call.leave()
    await call.joinAgain()
    expect(call.getState()).toMatchObject({ phase: 'live', scene: { microphone: 'on' } })
  })

  test('can be followed by joining again with the choices made in the room', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await call.setMicrophone(false)
    await call.setCamera(false)
    await call.blurBackground(true)
    await call.reduceNoise(true)
    await call.leave()
    seen.on = { microphone: false, camera: false }
    await call.joinAgain()
    expect(seen.devices.at(-1)).toMatchObject({ isBackgroundBlurred: true, isNoiseReduced: true })
    expect(seen.on).toEqual({ microphone: false, camera: false })
    expect(call.getState()).toMatchObject({ scene: { microphone: 'off', camera: 'off' } })

    await call.setCamera(true)
    await call.leave()
    await call.joinAgain()
    expect(call.getState()).toMatchObject({ scene: { microphone: 'off', camera: 'on' } })
  })

  test('can be followed by joining again without the devices that were turned off from outside', async () => {
    const { call, fakes, seen, latest, moderator } = world()
    await call.join(CHOICE)
    moderator.mutes()
    seen.on.camera = false
    latest().deviceLost('camera', 'not-found')
    latest().changed()
    await call.leave()
    await call.joinAgain()
    expect(seen.on).toEqual({ microphone: false, camera: false })

    fakes.cameraFails = new DOMException('', 'NotReadableError')
    await call.setCamera(true)
    await call.leave()
    fakes.cameraFails = undefined
    await call.joinAgain()
    expect(seen.on.camera).toBe(false)
  })

  test('does not open a microphone whose owner leaves while it is being muted', async () => {
    const { call, fakes, seen } = world()
    await call.join(CHOICE)
    fakes.microphoneTakes = new Promise(() => {})
    void call.setMicrophone(false)
    await call.leave()
    fakes.microphoneTakes = undefined
    seen.on.microphone = false
    await call.joinAgain()
    expect(seen.on.microphone).toBe(false)
  })
})
