import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EMPTY_SCENE } from './call-state.ts'
import type { Answer } from './live-api.ts'
import { CLOSED, type Refusal, UNAVAILABLE } from './refusal.ts'
import { CHOICE, ENTRY, PREVIEW, advance, world } from './testing/call-world.ts'

const BANNED: Refusal = { page: 'banned', code: 'PARTICIPANT_BANNED' }

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('joining', () => {
  test('publishes microphone and camera and reports the media connection', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await advance(0)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      facts: { sessionName: 'Taste test', me: { role: 'panelist', name: 'Pana' } },
      // The person may not send and is not among the people. The identity and the connection are known all the same.
      scene: { ...EMPTY_SCENE, identity: 'pana', quality: 'poor', microphone: 'on', camera: 'on' },
    })
    expect(seen.reports).toEqual(['ticket-1 PA_1'])
  })

  test('publishes neither if the microphone is muted and the camera off', async () => {
    const { call, seen } = world()
    await call.join({ ...CHOICE, isMicrophoneOn: false, isCameraOn: false })
    expect(seen.on).toEqual({ microphone: false, camera: false })
    expect(call.getState().phase).toBe('live')
  })

  test('without a working camera is still live, and shows why', async () => {
    const { call, fakes } = world()
    fakes.cameraFails = new DOMException('', 'NotReadableError')
    await call.join(CHOICE)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      scene: { camera: 'off', microphone: 'on', problems: { camera: 'busy' } },
    })
  })

  test('that is refused opens no media connection', async () => {
    const { call, fakes, seen } = world()
    fakes.entry = { ok: false, refusal: BANNED }
    await call.join(CHOICE)
    expect(call.getState()).toEqual({ phase: 'refused', refusal: BANNED })
    expect(seen.opened).toEqual([])
  })

  test('tries a fresh media connection when the first one does not connect', async () => {
    const { call, fakes } = world()
    fakes.connectFails = 1
    const joined = call.join(CHOICE)
    await advance(1_000)
    await joined
    expect(call.getState().phase).toBe('live')
  })

  test('repeats its report until it is accepted', async () => {
    const { call, fakes, seen } = world()
    fakes.isReportTaken = false
    await call.join(CHOICE)
    await advance(500)
    fakes.isReportTaken = true
    await advance(30_000)
    expect(seen.reports).toEqual(['ticket-1 PA_1', 'ticket-1 PA_1'])
  })
})

const CREDENTIAL = { kind: 'token', token: 't' } as const

/** An answer of the service before the window. The machine's clock is five minutes behind. */
const early = (minute: number): Answer<AdmissionCheckBody> => ({
  ok: true,
  data: {
    ...PREVIEW,
    is_open: false,
    now: '2026-06-01T06:05:00Z',
    opens_at: new Date(Date.UTC(2026, 5, 1, 7, minute)).toISOString(),
  },
})

describe('before entering', () => {
  test('the page checks the permission to enter, without entering', async () => {
    const { call, seen } = world()
    expect(call.getState()).toEqual({ phase: 'checking' })
    await call.check(CREDENTIAL)
    expect(call.getState()).toEqual({ phase: 'lobby', preview: PREVIEW })
    expect({ entries: seen.entries, opened: seen.opened }).toEqual({ entries: 0, opened: [] })
  })

  test('a refusal comes first, and can be checked again', async () => {
    const { call, fakes } = world()
    fakes.check = { ok: false, refusal: UNAVAILABLE }
    await call.check(CREDENTIAL)
    expect(call.getState()).toEqual({ phase: 'refused', refusal: UNAVAILABLE })
    fakes.check = { ok: false, refusal: BANNED }
    await call.joinAgain()
    expect(call.getState()).toEqual({ phase: 'refused', refusal: BANNED })
  })

  test('waiting follows a moved slot, and continues while the service is unavailable', async () => {
    const { call, fakes } = world()
    fakes.check = early(0)
    await call.check(CREDENTIAL)
    const opensAtLocalMs = Date.UTC(2026, 5, 1, 6, 55)
    expect(call.getState()).toMatchObject({ refusal: { page: 'too-early', opensAtLocalMs } })
    fakes.check = early(30)
    await call.checkAgain()
    const moved = { refusal: { opensAt: new Date('2026-06-01T07:30:00Z') } }
    expect(call.getState()).toMatchObject(moved)
    fakes.check = { ok: false, refusal: UNAVAILABLE }
    await call.checkAgain()
    expect(call.getState()).toMatchObject(moved)
    fakes.check = { ok: false, refusal: CLOSED }
    await call.checkAgain()
    expect(call.getState()).toEqual({ phase: 'refused', refusal: CLOSED })
  })

  test('a waiting person enters only by a press when the room opens', async () => {
    const { call, fakes, seen } = world()
    fakes.check = early(0)
    await call.check(CREDENTIAL)
    fakes.check = { ok: true, data: PREVIEW }
    await call.checkAgain()
    await advance(60_000)
    expect(call.getState()).toEqual({ phase: 'open', preview: PREVIEW })
    expect({ entries: seen.entries, opened: seen.opened }).toEqual({ entries: 0, opened: [] })
    call.prepare()
    expect(call.getState()).toEqual({ phase: 'lobby', preview: PREVIEW })
    await call.join(CHOICE)
    expect(call.getState().phase).toBe('live')
  })

  test('a slot that is moved at the last moment is waited for, too', async () => {
    const { call, fakes } = world()
    await call.check(CREDENTIAL)
    const at = new Date('2026-06-01T07:00:00Z')
    const refusal = { page: 'too-early', code: 'OUTSIDE_TIME_WINDOW', opensAt: at } as const
    fakes.entry = { ok: false, refusal: { ...refusal, closesAt: at, opensAtLocalMs: 0 } }
    await call.join(CHOICE)
    await call.checkAgain()
    expect(call.getState().phase).toBe('open')
  })
})

describe('in the room', () => {
  test('the ticket is renewed after two thirds of its life', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await advance(9 * 60_000)
    expect(seen.renewals).toEqual([])
    await advance(61_000)
    expect(seen.renewals).toEqual(['ticket-1, connected'])
  })

  test('a reconnect by the provider is shown, and reported afterwards', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().interrupted()
    expect(call.getState().phase).toBe('reconnecting')
    latest().resumed()
    await advance(0)
    expect(call.getState().phase).toBe('live')
    expect(seen.reports).toHaveLength(2)
  })

  test('a dropped connection is replaced with the same devices', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    await call.setCamera(false)
    latest().ended('dropped')
    expect(call.getState().phase).toBe('reconnecting')
    await advance(1_000)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      scene: { microphone: 'on', camera: 'off' },
    })
    expect(seen.reports.at(-1)).toBe('ticket-2 PA_2')
  })

  test.each([
    ['fails once', 1, { opened: 3, closed: 2, phase: 'live' }],
    ['always fails', 100, { opened: 5, closed: 5, phase: 'refused' }],
  ])('a new connection that %s is followed by one recovery', async (_, times, expected) => {
    const { call, fakes, seen, latest } = world()
    await call.join(CHOICE)
    fakes.connectFails = times
    latest().ended('dropped')
    await advance(60_000)
    const { opened, closed } = seen
    expect({ opened: opened.length, closed, phase: call.getState().phase }).toEqual(expected)
  })

  test('a new connection that drops while its devices start is replaced', async () => {
    const { call, fakes, seen, latest } = world()
    await call.join(CHOICE)
    fakes.microphoneTakes = new Promise(() => {})
    latest().ended('dropped')
    await advance(1_000)
    fakes.microphoneTakes = undefined
    latest().ended('dropped')
    await advance(1_000)
    expect(seen.opened).toHaveLength(3)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      scene: { microphone: 'on', camera: 'on' },
    })
  })

  test('an outage is waited out as long as the ticket is valid, and no longer', async () => {
    const { call, fakes, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = { ok: false, refusal: UNAVAILABLE }
    latest().ended('dropped')
    await advance(10 * 60_000)
    expect(call.getState().phase).toBe('reconnecting')
    await advance(6 * 60_000)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'lost' } })
  })

  test('waking up retries immediately', async () => {
    const { call, fakes, latest } = world()
    await call.join(CHOICE)
    fakes.renewal = { ok: false, refusal: UNAVAILABLE }
    latest().ended('dropped')
    await advance(60_000)
    fakes.renewal = { ok: true, data: ENTRY }
    call.wake()
    await advance(0)
    expect(call.getState().phase).toBe('live')
  })

  test('a lost microphone is off for everybody, and shows why', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    seen.on.microphone = false
    latest().deviceLost('microphone', 'not-found')
    latest().changed()
    expect(call.getState()).toMatchObject({
      scene: { microphone: 'off', camera: 'on', problems: { microphone: 'not-found' } },
    })
  })

  test.each(['microphone', 'camera'] as const)(
    'a %s that the system silences is reported while it lasts, unless it is off',
    async (kind) => {
      const { call, latest } = world()
      await call.join(CHOICE)
      latest().deviceSilenced(kind, true)
      const busy = { [kind]: 'busy' }
      expect(call.getState()).toMatchObject({ scene: { [kind]: 'on', problems: busy } })
      latest().deviceSilenced(kind, false)
      expect(call.getState()).toHaveProperty('scene.problems', {})
      await (kind === 'camera' ? call.setCamera(false) : call.setMicrophone(false))
      latest().deviceSilenced(kind, true)
      expect(call.getState()).toHaveProperty('scene.problems', {})
    },
  )

  test('a replaced camera is named until dismissed', async () => {
    const { call, latest } = world()
    await call.join(CHOICE)
    latest().deviceLost('camera', 'not-found')
    latest().deviceReplaced('camera', 'Built-in')
    const replaced = { kind: 'camera', label: 'Built-in' }
    expect(call.getState()).toMatchObject({ scene: { camera: 'on', problems: {}, replaced } })
    call.dismissReplaced()
    expect(call.getState()).toMatchObject({ scene: { replaced: null } })
  })

  test('a camera that replaced another is not named once it is lost, too', async () => {
    const { call, latest } = world()
    await call.join(CHOICE)
    latest().deviceReplaced('camera', 'Built-in')
    latest().deviceLost('microphone', 'not-found')
    expect(call.getState()).toMatchObject({ scene: { replaced: { kind: 'camera' } } })
    latest().deviceLost('camera', 'not-found')
    expect(call.getState()).toMatchObject({ scene: { replaced: null } })
  })

  test('events of a replaced connection change nothing', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().ended('dropped')
    await advance(1_000)
    seen.opened[0]?.ended('closed')
    expect(call.getState().phase).toBe('live')
  })
})

describe('the pointer of a moderator', () => {
  test('is sent to the current media connection, and received only from it', async () => {
    const { call, seen, latest } = world()
    const received: Uint8Array[] = []
    call.pointer.listen((message) => received.push(message))
    const message = new Uint8Array([1])
    call.pointer.send(message)
    expect(seen.pointed).toEqual([])

    await call.join(CHOICE)
    call.pointer.send(message)
    expect(seen.pointed).toEqual([message])
    latest().pointed(message)
    expect(received).toEqual([message])

    const before = latest()
    await call.leave()
    before.pointed(message)
    expect(received).toEqual([message])
  })
})

describe('noise of the microphone', () => {
  test('is suppressed as chosen before entering, and as changed in the next connection', async () => {
    const { call, seen, latest } = world()
    await call.join({ ...CHOICE, isNoiseReduced: true })
    expect(seen.devices).toMatchObject([{ isNoiseReduced: true }])
    expect(await call.reduceNoise(false)).toBe(true)
    expect(seen.noise).toEqual([false])

    latest().ended('dropped')
    await advance(1_000)
    expect(seen.devices.at(-1)).toMatchObject({ isNoiseReduced: false })
  })

  test('stays if the browser cannot suppress it', async () => {
    const { call, fakes } = world()
    await call.join(CHOICE)
    fakes.noiseFails = true
    expect(await call.reduceNoise(true)).toBe(false)
    expect(call.getState()).toMatchObject({ phase: 'live', scene: { microphone: 'on' } })
  })
})
