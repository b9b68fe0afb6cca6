import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLiveRoom } from '../live/live-room.ts'
import { CallConnection } from './call-connection.ts'
import { EMPTY_SCENE } from './call-state.ts'
import type { CallTools } from './call-tools.ts'
import type { Answer } from './live-api.ts'
import type { MediaEvents, MediaRoom } from './media-room.ts'
import { CLOSED, type Refusal, UNAVAILABLE } from './refusal.ts'

const ENTRY: EntryBody = {
  ticket: 'ticket-1',
  ticket_expires_at: '2026-06-01T06:15:00Z',
  participant: { id: null, role: 'panelist', display_name: 'Pana' },
  room: {
    id: 'r',
    kind: 'interview',
    stream_resolution: '640x480',
    stream_frame_rate: 15,
    isRecorded: true,
  },
  session: {
    name: 'Taste test',
    starts_at: '2026-06-01T06:00:00Z',
    ends_at: '2026-06-01T07:00:00Z',
  },
  media: { url: 'ws://media', token: 'media-1' },
  capabilities: CAPABILITIES.panelist,
  closes_at: null,
  consent: 'given',
}
const BANNED: Refusal = { page: 'banned', code: 'PARTICIPANT_BANNED' }
const CHOICE = {
  credential: { kind: 'token', token: 't' },
  isMicrophoneOn: true,
  isCameraOn: true,
} as const

/** A service and a media server that do as they are told. */
function world() {
  const told = {
    entry: { ok: true, data: ENTRY } as Answer<EntryBody>,
    renewal: { ok: true, data: { ...ENTRY, ticket: 'ticket-2' } } as Answer<EntryBody>,
    connectFails: 0,
    cameraFails: undefined as Error | undefined,
    isReportTaken: true,
  }
  const seen = {
    reports: [] as string[],
    renewals: [] as string[],
    opened: [] as MediaEvents[],
    on: { microphone: false, camera: false },
    closed: 0,
    live: [] as ((refusal: Refusal) => void)[],
    liveClosed: 0,
  }
  const media = (number: number): MediaRoom => ({
    connect: async () => {
      if (told.connectFails > 0) {
        told.connectFails -= 1
        throw new Error('no media')
      }
    },
    sid: () => `PA_${number}`,
    people: () => [],
    isAudioBlocked: () => false,
    setMicrophone: async (isOn) => {
      seen.on.microphone = isOn
    },
    setCamera: async (isOn) => {
      if (told.cameraFails !== undefined) throw told.cameraFails
      seen.on.camera = isOn
    },
    isOn: (kind) => seen.on[kind],
    flipCamera: async () => {},
    microphoneTrack: () => undefined,
    switchDevice: async () => {},
    startAudio: async () => {},
    close: async () => {
      seen.closed += 1
    },
  })
  const tools: CallTools = {
    api: {
      enter: async () => told.entry,
      renew: async (ticket) => {
        seen.renewals.push(ticket)
        return told.renewal
      },
      reportConnected: async (ticket, sid) => {
        seen.reports.push(`${ticket} ${sid}`)
        return told.isReportTaken
      },
    },
    openMediaRoom: ({ on }) => {
      seen.opened.push(on)
      return media(seen.opened.length)
    },
    openLive: ({ onEnded }) => {
      seen.live.push(onEnded)
      return createLiveRoom({
        me: { participantId: null, role: 'panelist' },
        request: async () => ({ ok: false, code: 'OFFLINE', details: [] }),
        onClose: () => {
          seen.liveClosed += 1
        },
      })
    },
    watchMuted: () => () => {},
  }
  const call = new CallConnection(tools)
  const latest = () => {
    const events = seen.opened.at(-1)
    if (events === undefined) throw new Error('no media connection was opened')
    return events
  }
  return { told, seen, call, latest }
}

/** Lets everything that is due within this time happen. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T06:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('joining', () => {
  test('brings microphone and camera and reports the media connection', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await pass(0)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      facts: { sessionName: 'Taste test', me: { role: 'panelist', name: 'Pana' } },
      scene: { ...EMPTY_SCENE, microphone: 'on', camera: 'on' },
    })
    expect(seen.reports).toEqual(['ticket-1 PA_1'])
  })

  test('muted, with the camera off, brings neither', async () => {
    const { call, seen } = world()
    await call.join({ ...CHOICE, isMicrophoneOn: false, isCameraOn: false })
    expect(seen.on).toEqual({ microphone: false, camera: false })
    expect(call.getState().phase).toBe('live')
  })

  test('without a camera that works is live all the same, and says why', async () => {
    const { call, told } = world()
    told.cameraFails = new DOMException('', 'NotReadableError')
    await call.join(CHOICE)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      scene: { camera: 'off', microphone: 'on', problems: { camera: 'busy' } },
    })
  })

  test('refused at the gate opens no media connection', async () => {
    const { call, told, seen } = world()
    told.entry = { ok: false, refusal: BANNED }
    await call.join(CHOICE)
    expect(call.getState()).toEqual({ phase: 'refused', refusal: BANNED })
    expect(seen.opened).toEqual([])
  })

  test('tries a fresh media connection when the first does not come up', async () => {
    const { call, told } = world()
    told.connectFails = 1
    const joined = call.join(CHOICE)
    await pass(1_000)
    await joined
    expect(call.getState().phase).toBe('live')
  })

  test('gives up with a page to join again when media never comes up', async () => {
    const { call, told } = world()
    told.connectFails = 100
    const joined = call.join(CHOICE)
    await pass(60_000)
    await joined
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'lost' } })
  })

  test('repeats its report until it is taken', async () => {
    const { call, told, seen } = world()
    told.isReportTaken = false
    await call.join(CHOICE)
    await pass(500)
    told.isReportTaken = true
    await pass(30_000)
    expect(seen.reports).toEqual(['ticket-1 PA_1', 'ticket-1 PA_1'])
  })
})

const early = (minute: number): Refusal => ({
  page: 'too-early',
  code: 'OUTSIDE_TIME_WINDOW',
  opensAt: new Date(Date.UTC(2026, 5, 1, 7, minute)),
  closesAt: new Date(Date.UTC(2026, 5, 1, 9, minute)),
  opensAtLocalMs: Date.UTC(2026, 5, 1, 7, minute),
})

describe('waiting at the gate', () => {
  test('follows a slot that is moved, and stays while the service is away', async () => {
    const { call, told } = world()
    told.entry = { ok: false, refusal: early(0) }
    await call.join(CHOICE)
    told.entry = { ok: false, refusal: early(30) }
    await call.knock()
    expect(call.getState()).toEqual({ phase: 'refused', refusal: early(30) })
    told.entry = { ok: false, refusal: UNAVAILABLE }
    await call.knock()
    expect(call.getState()).toEqual({ phase: 'refused', refusal: early(30) })
  })

  test('enters when the gate is open', async () => {
    const { call, told } = world()
    told.entry = { ok: false, refusal: early(0) }
    await call.join(CHOICE)
    told.entry = { ok: true, data: ENTRY }
    await call.knock()
    expect(call.getState().phase).toBe('live')
  })
})

describe('in the room', () => {
  test('the ticket is renewed at two thirds of its life', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await pass(9 * 60_000)
    expect(seen.renewals).toEqual([])
    await pass(61_000)
    expect(seen.renewals).toEqual(['ticket-1'])
  })

  test('a reconnect by the provider is shown, and reported afterwards', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().interrupted()
    expect(call.getState().phase).toBe('reconnecting')
    latest().resumed()
    await pass(0)
    expect(call.getState().phase).toBe('live')
    expect(seen.reports).toHaveLength(2)
  })

  test('a dropped connection is replaced with what was on before', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    await call.setCamera(false)
    latest().ended('dropped')
    expect(call.getState().phase).toBe('reconnecting')
    await pass(1_000)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      scene: { microphone: 'on', camera: 'off' },
    })
    expect(seen.reports.at(-1)).toBe('ticket-2 PA_2')
  })

  test('an outage is waited for as long as the ticket allows, and no longer', async () => {
    const { call, told, latest } = world()
    await call.join(CHOICE)
    told.renewal = { ok: false, refusal: UNAVAILABLE }
    latest().ended('dropped')
    await pass(10 * 60_000)
    expect(call.getState().phase).toBe('reconnecting')
    await pass(6 * 60_000)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'lost' } })
  })

  test('waking up tries at once', async () => {
    const { call, told, latest } = world()
    await call.join(CHOICE)
    told.renewal = { ok: false, refusal: UNAVAILABLE }
    latest().ended('dropped')
    await pass(60_000)
    told.renewal = { ok: true, data: ENTRY }
    call.wake()
    await pass(0)
    expect(call.getState().phase).toBe('live')
  })

  test('a microphone that is gone is off for all to see, and says why', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    seen.on.microphone = false
    latest().deviceLost('microphone', 'not-found')
    latest().changed()
    expect(call.getState()).toMatchObject({
      scene: { microphone: 'off', camera: 'on', problems: { microphone: 'not-found' } },
    })
  })

  test('a camera that was replaced is named, until that was read', async () => {
    const { call, latest } = world()
    await call.join(CHOICE)
    latest().deviceLost('camera', 'not-found')
    latest().deviceReplaced('camera', 'Built-in')
    const replaced = { kind: 'camera', label: 'Built-in' }
    expect(call.getState()).toMatchObject({ scene: { camera: 'on', problems: {}, replaced } })
    call.dismissReplaced()
    expect(call.getState()).toMatchObject({ scene: { replaced: null } })
  })

  test('events of a replaced connection change nothing', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().ended('dropped')
    await pass(1_000)
    seen.opened[0]?.ended('closed')
    expect(call.getState().phase).toBe('live')
  })
})

describe('the end', () => {
  test('by a closed room is told at once', async () => {
    const { call, latest } = world()
    await call.join(CHOICE)
    latest().ended('closed')
    expect(call.getState()).toEqual({ phase: 'refused', refusal: CLOSED })
  })

  test.each<[string, Answer<EntryBody>, string]>([
    ['a ban', { ok: false, refusal: BANNED }, 'banned'],
    ['a close', { ok: false, refusal: CLOSED }, 'closed'],
    ['nothing that the service knows of', { ok: true, data: ENTRY }, 'removed'],
    ['something that cannot be asked', { ok: false, refusal: UNAVAILABLE }, 'removed'],
  ])('by a removal because of %s has its page', async (_, renewal, page) => {
    const { call, told, latest } = world()
    await call.join(CHOICE)
    told.renewal = renewal
    latest().ended('removed')
    await pass(0)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page } })
  })

  test('by a word of the live stream is told at once, and closes the media connection', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    seen.live[0]?.(BANNED)
    expect(call.getState()).toEqual({ phase: 'refused', refusal: BANNED })
    expect(seen).toMatchObject({ closed: 1, liveClosed: 1 })
  })

  test('a late word of the live stream of an earlier visit changes nothing', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await call.leave()
    await call.joinAgain()
    seen.live[0]?.(BANNED)
    expect(call.getState().phase).toBe('live')
    expect(seen.liveClosed).toBe(1)
  })

  test('by the same link elsewhere does not fight for the room', async () => {
    const { call, seen, latest } = world()
    await call.join(CHOICE)
    latest().ended('elsewhere')
    await pass(60_000)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'elsewhere' } })
    expect(seen.opened).toHaveLength(1)
  })

  test('by a ban during an outage is told when the service is back', async () => {
    const { call, told, latest } = world()
    await call.join(CHOICE)
    told.renewal = { ok: false, refusal: BANNED }
    latest().ended('dropped')
    await pass(1_000)
    expect(call.getState()).toEqual({ phase: 'refused', refusal: BANNED })
  })

  test('by leaving closes the media connection and stops renewing', async () => {
    const { call, seen } = world()
    await call.join(CHOICE)
    await call.leave()
    await pass(60 * 60_000)
    expect(call.getState().phase).toBe('left')
    expect(seen.closed).toBe(1)
    expect(seen.renewals).toEqual([])
  })

  test('is not the last word: the same choice joins again', async () => {
    const { call } = world()
    await call.join(CHOICE)
    await call.leave()
    await call.joinAgain()
    expect(call.getState()).toMatchObject({ phase: 'live', scene: { microphone: 'on' } })
  })
})
