import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import { CAPABILITIES, publishedCapabilities } from '@interview-room/contract/capabilities.ts'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { vi } from 'vitest'
import type { DeviceKind } from '../../devices/device-problem.ts'
import { createLiveRoom } from '../../live/live-room.ts'
import { fakeDrafts } from '../../live/testing/fake-page.ts'
import { CallConnection } from '../call-connection.ts'
import type { Person } from '../call-state.ts'
import type { CallTools, LiveOptions } from '../call-tools.ts'
import type { Answer } from '../live-api.ts'
import type { DeviceChoice, MediaEvents, MediaRoom } from '../media-room.ts'

export const ENTRY: EntryBody = {
  ticket: 'ticket-1',
  ticket_expires_at: '2026-06-01T06:15:00Z',
  participant: { id: null, role: 'panelist', display_name: 'Pana' },
  room: {
    id: 'r',
    kind: 'interview',
    stream_resolution: '640x480',
    stream_frame_rate: 15,
    is_recorded: true,
    recording_consent: 'required',
    observation_consent: 'informed',
  },
  session: {
    name: 'Taste test',
    starts_at: '2026-06-01T06:00:00Z',
    ends_at: '2026-06-01T07:00:00Z',
  },
  media: { url: 'ws://media', token: 'media-1' },
  capabilities: publishedCapabilities(CAPABILITIES.panelist),
  closes_at: null,
  consents: { recording: 'given', observation: 'not_asked' },
  consent_texts: [],
  return_url: null,
  consent: 'given',
}

export const PREVIEW: AdmissionCheckBody = {
  now: '2026-06-01T06:00:00Z',
  is_open: true,
  opens_at: '2026-06-01T05:30:00Z',
  closes_at: '2026-06-01T07:30:00Z',
  role: 'panelist',
  display_name: 'Pana',
  session: ENTRY.session,
  is_recorded: true,
  recording_consent: 'required',
  is_consent_obtained: false,
  observation_consent: 'informed',
  consents: ENTRY.consents,
  consent_texts: [],
}

export const CHOICE = {
  credential: { kind: 'token', token: 't' },
  isMicrophoneOn: true,
  isCameraOn: true,
} as const

type Awaitable<T> = T | Promise<T>

const ACCEPTING = {
  check: { ok: true, data: PREVIEW } as Answer<AdmissionCheckBody>,
  entry: { ok: true, data: ENTRY } as Awaitable<Answer<EntryBody>>,
  renewal: { ok: true, data: { ...ENTRY, ticket: 'ticket-2' } } as Awaitable<Answer<EntryBody>>,
  connectFails: 0,
  /** How far a connection gets that fails. */
  failsAt: 'media' as 'signalling' | 'media',
  isMediaAnswering: true,
  cameraFails: undefined as Error | undefined,
  screenFails: undefined as Error | undefined,
  switchFails: undefined as Error | undefined,
  /** After a failed switch, the previous device cannot be used either. */
  isOffAfterSwitch: false,
  /** Nothing of the microphone is sent until this settles. */
  microphoneTakes: undefined as Promise<void> | undefined,
  cameraTakes: undefined as Promise<void> | undefined,
  switchTakes: undefined as Promise<void> | undefined,
  isReportTaken: true,
  noiseFails: false,
  blurFails: undefined as Error | undefined,
  people: [] as Person[],
}
type Fakes = typeof ACCEPTING

const nothingSeen = () => ({
  checks: 0,
  entries: 0,
  reports: [] as string[],
  renewals: [] as string[],
  opened: [] as MediaEvents[],
  on: { microphone: false, camera: false },
  isSharing: false,
  closed: 0,
  live: [] as LiveOptions[],
  isMutedWatched: false,
  /** Called with the answer about the silence of the microphone; undefined while nobody listens. */
  silenceWatch: undefined as ((isSilent: boolean) => void) | undefined,
  pointed: [] as Uint8Array[],
  noise: [] as boolean[],
  blur: [] as boolean[],
  devices: [] as DeviceChoice[],
  switched: [] as string[],
  liveClosed: 0,
})
type Seen = ReturnType<typeof nothingSeen>

/** A service and a media server that tests control. */
export function world() {
  const fakes = { ...ACCEPTING }
  const seen = nothingSeen()
  const call = new CallConnection(toolsOf(fakes, seen))
  const latest = () => {
    const events = seen.opened.at(-1)
    if (events === undefined) throw new Error('no media connection was opened')
    return events
  }
  /** The two ways in which a moderator's mute arrives. */
  const moderator = {
    mutes: () => {
      seen.on.microphone = false
      latest().changed()
    },
    asks: async () => {
      const live = seen.live.at(-1)
      if (live === undefined) throw new Error('no live stream was opened')
      live.onMuteRequested()
      await advance(0)
    },
  }
  return { fakes, seen, call, latest, moderator }
}

/** Runs everything that is due within this time. */
export const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function toolsOf(fakes: Fakes, seen: Seen): CallTools {
  return {
    api: {
      check: async () => {
        seen.checks += 1
        return fakes.check
      },
      enter: async () => {
        seen.entries += 1
        return fakes.entry
      },
      renew: async (ticket, isConnected) => {
        seen.renewals.push(isConnected ? `${ticket}, connected` : ticket)
        return fakes.renewal
      },
      reportConnected: async (ticket, sid) => {
        seen.reports.push(`${ticket} ${sid}`)
        return fakes.isReportTaken
      },
    },
    openMediaRoom: ({ on, devices }) => {
      seen.opened.push(on)
      // The new connection sends nothing yet.
      Object.assign(seen, { on: { microphone: false, camera: false }, isSharing: false })
      seen.devices.push({ ...devices })
      return mediaOf(fakes, seen, on)
    },
    openLive: (options) => {
      seen.live.push(options)
      return createLiveRoom({
        drafts: fakeDrafts(),
        me: { participantId: null, role: 'panelist' },
        request: async () => ({ ok: false, code: 'OFFLINE', details: [] }),
        onClose: () => {
          seen.liveClosed += 1
        },
      })
    },
    answersAt: async () => fakes.isMediaAnswering,
    watchMuted: () => {
      seen.isMutedWatched = true
      return () => {
        seen.isMutedWatched = false
      }
    },
    watchSilence: (_track, onSilent) => {
      seen.silenceWatch = onSilent
      return () => {
        seen.silenceWatch = undefined
      }
    },
  }
}

function mediaOf(fakes: Fakes, seen: Seen, on: MediaEvents): MediaRoom {
  const number = seen.opened.length
  const fail = failuresOf(fakes, seen, on)
  return {
    connect: async () => fail.connect(),
    sid: () => `PA_${number}`,
    people: () => fakes.people,
    identity: () => 'pana',
    quality: () => 'poor',
    isAudioBlocked: () => false,
    setMicrophone: async (isOn) => {
      await fakes.microphoneTakes
      seen.on.microphone = isOn
    },
    setCamera: async (isOn) => {
      await fakes.cameraTakes
      if (fakes.cameraFails !== undefined) throw fakes.cameraFails
      seen.on.camera = isOn
    },
    setScreenShare: async (isOn) => {
      if (fakes.screenFails !== undefined) throw fakes.screenFails
      seen.isSharing = isOn
    },
    isSharingScreen: () => seen.isSharing,
    isOn: (kind) => seen.on[kind],
    flipCamera: async () => {
      fail.switch('camera')
      return 'back'
    },
    microphoneTrack: () => ({}) as MediaStreamTrack,
    switchDevice: async (kind, deviceId) => {
      await fakes.switchTakes
      fail.switch(kind)
      seen.switched.push(`${number} ${kind} ${deviceId}`)
    },
    startAudio: async () => {},
    reduceNoise: async (isOn) => {
      if (fakes.noiseFails) throw new Error('no WebAssembly')
      seen.noise.push(isOn)
    },
    blurBackground: async (isOn) => {
      seen.blur.push(isOn)
      if (fakes.blurFails === undefined) return
      seen.on.camera = false
      throw fakes.blurFails
    },
    sendPointer: (message) => {
      seen.pointed.push(message)
    },
    close: async () => {
      seen.closed += 1
    },
  }
}

/** The configured failures. Each one reports the same events as the provider's client before it throws. */
function failuresOf(fakes: Fakes, seen: Seen, on: MediaEvents) {
  return {
    connect: () => {
      const isFailing = fakes.connectFails > 0
      if (!isFailing || fakes.failsAt === 'media') on.signalled()
      if (!isFailing) return
      fakes.connectFails -= 1
      on.ended('dropped')
      throw new Error('no media')
    },
    switch: (kind: DeviceKind) => {
      if (fakes.switchFails === undefined) return
      if (fakes.isOffAfterSwitch && kind !== 'speaker') {
        seen.on[kind] = false
        on.changed()
      }
      throw fakes.switchFails
    },
  }
}
