import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BlurFailure } from '../devices/background-blur.ts'
import { CHOICE, advance, world } from './testing/call-world.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const MUTED = { scene: { microphone: 'off', isMuteAsked: true } }
const OPEN = { scene: { microphone: 'on', isMuteAsked: false } }

describe("a moderator's mute", () => {
  test('by the provider is shown when the live stream announces it, and one press ends it', async () => {
    const { call, seen, moderator } = world()
    await call.join(CHOICE)
    moderator.mutes()
    expect(call.getState()).toMatchObject({ scene: { microphone: 'off', isMuteAsked: false } })
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
    expect(seen.isMutedWatched).toBe(true)

    await call.setMicrophone(true)
    expect(call.getState()).toMatchObject(OPEN)
    expect(seen).toMatchObject({ on: { microphone: true }, isMutedWatched: false })
    await call.setMicrophone(false)
    expect(call.getState()).toMatchObject({ scene: { isMuteAsked: false } })
  })

  test('is not repeated for a person who unmuted before the announcement', async () => {
    const { call, seen, moderator } = world()
    await call.join(CHOICE)
    moderator.mutes()
    await call.setMicrophone(true)
    await moderator.asks()
    expect(call.getState()).toMatchObject(OPEN)
    expect(seen.on.microphone).toBe(true)
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
    expect(seen.on.microphone).toBe(false)
  })

  test('is not repeated for a person who unmuted before the provider muted', async () => {
    const { call, seen, moderator } = world()
    await call.join(CHOICE)
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
    await call.setMicrophone(true)
    moderator.mutes()
    await advance(0)
    expect(call.getState()).toMatchObject(OPEN)
    expect(seen.on.microphone).toBe(true)
    moderator.mutes()
    expect(call.getState()).toMatchObject({ scene: { microphone: 'off' } })
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
  })

  test('that the provider makes later counts as a new one', async () => {
    const { call, seen, moderator } = world()
    await call.join(CHOICE)
    await moderator.asks()
    await call.setMicrophone(true)
    await advance(5_000)
    moderator.mutes()
    await advance(0)
    expect(call.getState()).toMatchObject({ scene: { microphone: 'off' } })
    expect(seen.on.microphone).toBe(false)
  })

  test('is done by the page if the provider did not mute', async () => {
    const { call, seen, moderator } = world()
    await call.join(CHOICE)
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
    expect(seen.on.microphone).toBe(false)
    await call.setMicrophone(true)
    expect(call.getState()).toMatchObject(OPEN)
  })

  test('of a microphone that is off already is shown until it is dismissed', async () => {
    const { call, moderator } = world()
    await call.join({ ...CHOICE, isMicrophoneOn: false })
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
    call.dismissMuteRequest()
    expect(call.getState()).toMatchObject({ scene: { microphone: 'off', isMuteAsked: false } })
  })

  test('is distinguished from a lost microphone', async () => {
    const { call, seen, latest, moderator } = world()
    await call.join(CHOICE)
    latest().deviceLost('microphone', 'not-found')
    moderator.mutes()
    await call.setMicrophone(true)
    await moderator.asks()
    expect(call.getState()).toMatchObject(MUTED)
    expect(seen.on.microphone).toBe(false)
  })

  test('applies if it arrives during a reconnect', async () => {
    const { call, seen, latest, moderator } = world()
    await call.join(CHOICE)
    latest().ended('dropped')
    await moderator.asks()
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'live', ...MUTED })
    expect(seen.on).toEqual({ microphone: false, camera: true })
  })

  test('applies if it arrives during entry', async () => {
    const { call, fakes, seen, moderator } = world()
    fakes.connectFails = 1
    const joined = call.join(CHOICE)
    await advance(0)
    await moderator.asks()
    await advance(1_000)
    await joined
    expect(call.getState()).toMatchObject({ phase: 'live', scene: { microphone: 'off' } })
    expect(seen.on).toEqual({ microphone: false, camera: true })
  })
})

describe('a chosen device', () => {
  test('is used as soon as the starting microphone is published', async () => {
    const { call, fakes, seen } = world()
    await call.join({ ...CHOICE, isMicrophoneOn: false })
    const publishing = Promise.withResolvers<void>()
    fakes.microphoneTakes = publishing.promise
    const turnedOn = call.setMicrophone(true)
    const chosen = call.switchDevice('microphone', 'headset')
    await call.switchDevice('camera', 'other')
    expect(seen.switched).toEqual(['1 camera other'])

    publishing.resolve()
    await Promise.all([turnedOn, chosen])
    expect(seen.on.microphone).toBe(true)
    expect(seen.switched).toEqual(['1 camera other', '1 microphone headset'])
  })

  test('is used in the next connection, and when joining again', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    await call.switchDevice('microphone', 'headset')
    await call.switchDevice('speaker', 'loud')
    await call.switchDevice('camera', 'other')
    latest().ended('dropped')
    await advance(1_000)
    const chosen = { microphoneId: 'headset', speakerId: 'loud', cameraId: 'other' }
    expect(seen.devices.at(-1)).toMatchObject(chosen)

    await call.leave()
    await call.joinAgain()
    expect(seen.devices.at(-1)).toMatchObject(chosen)
  })

  test('is used in the next connection if it was chosen during a reconnect', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().ended('dropped')
    expect(await call.switchDevice('microphone', 'headset')).toBe(true)
    await advance(1_000)
    expect(seen.devices.at(-1)).toMatchObject({ microphoneId: 'headset' })
    expect(seen.switched).toEqual([])
  })

  test('is used in the next connection if it was still being opened', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join(CHOICE)
    const opening = Promise.withResolvers<void>()
    fakes.switchTakes = opening.promise
    const chosen = call.switchDevice('camera', 'other')
    await advance(0)
    latest().ended('dropped')
    await advance(1_000)
    opening.resolve()
    expect(await chosen).toBe(true)
    expect(seen.switched).toEqual(['1 camera other', '2 camera other'])
    expect(call.getState()).toHaveProperty('scene.problems', {})
  })

  test('is not tried again in the next connection if it failed', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join({ ...CHOICE, cameraId: 'first' })
    fakes.switchFails = new DOMException('', 'NotReadableError')
    await call.switchDevice('camera', 'other')
    latest().ended('dropped')
    await advance(1_000)
    expect(seen.devices.at(-1)).toMatchObject({ cameraId: 'first' })
  })

  test('is used in the next connection after a flip', async () => {
    const { call, seen, latest } = world()
    await call.join({ ...CHOICE, cameraId: 'front' })
    await call.flipCamera()
    latest().ended('dropped')
    await advance(1_000)
    expect(seen.devices.at(-1)).toMatchObject({ cameraId: 'back' })
  })
})

describe.each(['microphone', 'camera'] as const)('a %s in a connection that drops', (kind) => {
  const press = kind === 'microphone' ? 'setMicrophone' : 'setCamera'
  const wish = kind === 'microphone' ? 'isMicrophoneOn' : 'isCameraOn'
  const scene = (state: string) => ({ scene: { [kind]: state, problems: {} } })

  test('that is turned on meanwhile is on in the next connection, and not in the old one', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join({ ...CHOICE, [wish]: false })
    latest().ended('dropped')
    const starting = Promise.withResolvers<void>()
    starting.promise.catch(() => {})
    fakes[`${kind}Takes`] = starting.promise
    const pressed = call[press](true)
    expect(call.getState()).toMatchObject({ phase: 'reconnecting', ...scene('on') })
    fakes[`${kind}Takes`] = undefined
    await advance(1_000)
    starting.reject(new Error('not connected'))
    await pressed
    expect(call.getState()).toMatchObject({ phase: 'live', ...scene('on') })
    expect(seen.on[kind]).toBe(true)

    latest().ended('dropped')
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'live', ...scene('on') })
  })

  test('that is turned off meanwhile is off in the next connection', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    seen.on[kind] = false
    latest().ended('dropped')
    expect(call.getState()).toMatchObject(scene('on'))
    await call[press](false)
    expect(call.getState()).toMatchObject(scene('off'))
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'live', ...scene('off') })
    expect(seen.on[kind]).toBe(false)
  })

  test('that was starting is on in the next connection', async () => {
    const { call, fakes, latest } = world()
    await call.join({ ...CHOICE, [wish]: false })
    const starting = Promise.withResolvers<void>()
    fakes[`${kind}Takes`] = starting.promise
    const pressed = call[press](true)
    latest().ended('dropped')
    fakes[`${kind}Takes`] = undefined
    starting.reject(new Error('closed'))
    await pressed
    expect(call.getState()).toMatchObject({ phase: 'reconnecting', ...scene('on') })
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'live', ...scene('on') })
  })

  test('stays off once its owner turns it off in the next connection, even if it was starting', async () => {
    const { call, fakes, seen, latest } = world()
    const starting = Promise.withResolvers<void>()
    fakes.microphoneTakes = starting.promise
    const joined = call.join(CHOICE)
    await advance(0)
    latest().ended('dropped')
    fakes.microphoneTakes = undefined
    await advance(1_000)
    await call[press](false)
    starting.reject(new Error('not connected'))
    await joined
    expect(seen.on[kind]).toBe(false)
    expect(call.getState()).toMatchObject(scene('off'))
  })
})

describe('a device that cannot be used', () => {
  const BUSY = new DOMException('', 'NotReadableError')

  test('is tried again at a press, while the previous one is in use', async () => {
    const { call, fakes, seen } = world()
    await call.join(CHOICE)
    fakes.switchFails = BUSY
    expect(await call.switchDevice('camera', 'other')).toBe(false)
    const busy = { scene: { camera: 'on', problems: { camera: 'busy' } } }
    expect(call.getState()).toMatchObject(busy)
    await call.retryDevice('camera')
    expect(call.getState()).toMatchObject(busy)

    fakes.switchFails = undefined
    await call.retryDevice('camera')
    expect(seen.switched).toEqual(['1 camera other'])
    expect(call.getState()).toMatchObject({ scene: { camera: 'on', problems: {} } })
  })

  test('is tried again at a press after a flip, unless something else failed since then', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join(CHOICE)
    fakes.switchFails = BUSY
    await call.flipCamera()
    expect(call.getState()).toHaveProperty('scene.problems', { camera: 'busy' })
    fakes.switchFails = undefined
    await call.retryDevice('camera')
    expect(call.getState()).toHaveProperty('scene.problems', {})

    fakes.switchFails = BUSY
    await call.switchDevice('camera', 'other')
    fakes.switchFails = undefined
    latest().deviceLost('camera', 'not-found')
    await call.retryDevice('camera')
    expect(seen.switched).toEqual([])
    expect(call.getState()).toHaveProperty('scene.problems', {})
  })

  test.each(['microphone', 'camera'] as const)(
    'nor the %s of before is off, and turned on by a press',
    async (kind) => {
      const { call, fakes, seen, moderator } = world()
      await call.join(CHOICE)
      Object.assign(fakes, { switchFails: BUSY, isOffAfterSwitch: true })
      await call.switchDevice(kind, 'other')
      expect(call.getState()).toMatchObject({
        scene: { [kind]: 'off', problems: { [kind]: 'busy' } },
      })
      await call.retryDevice(kind)
      expect(seen.on[kind]).toBe(true)
      expect(call.getState()).toMatchObject({ scene: { [kind]: 'on', problems: {} } })

      // The earlier mute was not the moderator's, so this one applies.
      await moderator.asks()
      expect(call.getState()).toMatchObject(MUTED)
    },
  )

  test('is replaced by the next choice, which a press tries again', async () => {
    const { call, fakes, seen } = world()
    await call.join(CHOICE)
    fakes.switchFails = BUSY
    const choices = ['other', 'third'].map(async (id) => call.switchDevice('camera', id))
    expect(await Promise.all(choices)).toEqual([false, false])
    fakes.switchFails = undefined
    await call.retryDevice('camera')
    expect(seen.switched).toEqual(['1 camera third'])
  })
})

describe('the own screen', () => {
  test('is shared and ended by its owner', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await call.shareScreen(true)
    expect(call.getState()).toMatchObject({ scene: { screenShare: 'on' } })
    expect(seen.isSharing).toBe(true)
    await call.shareScreen(false)
    expect(call.getState()).toMatchObject({ scene: { screenShare: 'off' } })
  })

  test("is off when the browser's own button ended it", async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    await call.shareScreen(true)
    seen.isSharing = false
    latest().changed()
    expect(call.getState()).toMatchObject({ scene: { screenShare: 'off' } })
  })

  test.each([
    ['chose none', new DOMException('Permission denied', 'NotAllowedError'), 'off'],
    ['may not', new DOMException('Permission denied by system', 'NotAllowedError'), 'failed'],
    ['cannot', new DOMException('Could not start', 'NotReadableError'), 'failed'],
  ])('is not shared if somebody %s', async (_who, error, expected) => {
    const { call, fakes } = world()
    await call.join(CHOICE)
    fakes.screenFails = error
    await call.shareScreen(true)
    expect(call.getState()).toMatchObject({ scene: { screenShare: expected } })
    fakes.screenFails = undefined
    await call.shareScreen(true)
    expect(call.getState()).toMatchObject({ scene: { screenShare: 'on' } })
  })

  test('cannot be shared during a reconnect', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().ended('dropped')
    await call.shareScreen(true)
    expect(call.getState()).toMatchObject({ scene: { screenShare: 'failed' } })
    expect(seen.isSharing).toBe(false)
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'live', scene: { screenShare: 'off' } })
  })

  test('is no longer shared after a reconnect', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    await call.shareScreen(true)
    seen.isSharing = false
    latest().ended('dropped')
    await advance(1_000)
    expect(call.getState()).toMatchObject({ phase: 'live', scene: { screenShare: 'off' } })
  })
})

describe('a background that is to be blurred', () => {
  test('is applied as chosen before entering, and as changed in the next connection', async () => {
    const { call, seen, latest } = world()
    await call.join({ ...CHOICE, isBackgroundBlurred: true })
    expect(seen.devices).toMatchObject([{ isBackgroundBlurred: true }])
    await call.blurBackground(false)
    expect(seen.blur).toEqual([false])
    latest().ended('dropped')
    await advance(1_000)
    expect(seen.devices.at(-1)).toMatchObject({ isBackgroundBlurred: false })
  })

  test('turns the camera off if it fails, and its owner sees the reason until it is wanted without blur', async () => {
    const { call, fakes } = world()
    await call.join(CHOICE)
    fakes.blurFails = new BlurFailure()
    await call.blurBackground(true)
    const failed = { scene: { camera: 'off', problems: { camera: 'blur' } } }
    expect(call.getState()).toMatchObject(failed)
    fakes.blurFails = undefined
    await call.blurBackground(false)
    expect(call.getState()).toMatchObject({ scene: { camera: 'off', problems: {} } })
  })

  test('is shown in the same way if it fails later', async () => {
    const { call, seen, latest } = world()
    await call.join({ ...CHOICE, isBackgroundBlurred: true })
    seen.on.camera = false
    latest().deviceLost('camera', 'blur')
    latest().changed()
    expect(call.getState()).toMatchObject({
      scene: { camera: 'off', problems: { camera: 'blur' }, microphone: 'on' },
    })
  })
})

describe('a microphone that sends no sound', () => {
  test('is reported while it is on, and not after it was turned off', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    expect(call.getState()).toMatchObject({ scene: { isMicrophoneSilent: false } })
    seen.silenceWatch?.(true)
    expect(call.getState()).toMatchObject({ scene: { isMicrophoneSilent: true } })
    await call.setMicrophone(false)
    expect(call.getState()).toMatchObject({ scene: { isMicrophoneSilent: false } })
    expect(seen.silenceWatch).toBeUndefined()
  })

  test('is judged anew after another one was chosen', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    const first = seen.silenceWatch
    first?.(true)
    await call.switchDevice('microphone', 'other')
    expect(call.getState()).toMatchObject({ scene: { isMicrophoneSilent: false } })
    expect(seen.silenceWatch).toBeDefined()
    expect(seen.silenceWatch).not.toBe(first)
  })

  test('is not listened to after the person has left', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    expect(seen.silenceWatch).toBeDefined()
    await call.leave()
    expect(seen.silenceWatch).toBeUndefined()
  })
})
