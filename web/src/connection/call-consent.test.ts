import { CAPABILITIES, publishedCapabilities } from '@interview-room/contract/capabilities.ts'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { describe, expect, test } from 'vitest'
import type { LiveRequest } from '../live/live-request.ts'
import { createLiveRoom } from '../live/live-room.ts'
import { CallConnection } from './call-connection.ts'
import type { LiveOptions } from './call-tools.ts'
import type { MediaRoom } from './media-room.ts'
import { CLOSED } from './refusal.ts'

const ENTRY: EntryBody = {
  ticket: 'ticket',
  ticket_expires_at: new Date(Date.now() + 600_000).toISOString(),
  participant: { id: null, role: 'panelist', display_name: 'Pana' },
  room: {
    id: 'r',
    kind: 'interview',
    stream_resolution: '640x480',
    stream_frame_rate: 15,
    is_recorded: true,
    isRecorded: true,
    recording_consent: 'required',
  },
  session: null,
  media: { url: 'ws://media', token: 'media' },
  capabilities: publishedCapabilities(CAPABILITIES.panelist),
  closes_at: null,
  consent: null,
}
const CHOICE = {
  credential: { kind: 'token', token: 't' },
  isMicrophoneOn: true,
  isCameraOn: true,
} as const

/** A recorded room that writes down, in order, what was said to the service and to the provider. */
async function askedInRoom(recordingConsent: EntryBody['room']['recording_consent'] = 'required') {
  const entry = { ...ENTRY, room: { ...ENTRY.room, recording_consent: recordingConsent } }
  const log: string[] = []
  const service = { isReached: true }
  const request = (async (_method, path, body) => {
    log.push(`${String(path)} ${JSON.stringify(body)}`)
    return service.isReached
      ? { ok: true, data: undefined }
      : { ok: false, code: 'OFFLINE', details: [] }
  }) as LiveRequest
  let live: LiveOptions | undefined
  const call = new CallConnection({
    api: {
      enter: async () => ({ ok: true, data: entry }),
      renew: async () => ({ ok: true, data: entry }),
      reportConnected: async () => true,
    },
    openMediaRoom: () => mediaThatLogs(log),
    openLive: (options) => {
      live = options
      const me = { participantId: null, role: 'panelist' } as const
      return createLiveRoom({ me, request, onClose: () => {} })
    },
    watchMuted: () => () => {},
  })
  await call.join(CHOICE)
  return { call, log, service, end: () => live?.onEnded(CLOSED) }
}

function mediaThatLogs(log: string[]): MediaRoom {
  return {
    connect: async () => void log.push('connected'),
    sid: () => 'PA_1',
    people: () => [],
    isAudioBlocked: () => false,
    setMicrophone: async () => void log.push('microphone'),
    setCamera: async () => void log.push('camera'),
    setScreenShare: async () => {},
    isSharingScreen: () => false,
    isOn: () => true,
    flipCamera: async () => {},
    microphoneTrack: () => undefined,
    switchDevice: async () => {},
    startAudio: async () => {},
    close: async () => {},
  }
}

describe('entering a room that is recorded', () => {
  test('asks for consent before anything is connected', async () => {
    const { call, log } = await askedInRoom()
    expect(call.getState()).toEqual({ phase: 'consent', isOptional: false })
    expect(log).toEqual([])
    await call.leave()
  })

  test('tells a consent to the service before the first media', async () => {
    const { call, log } = await askedInRoom()
    expect(await call.answerConsent('given')).toBe(true)
    expect(call.getState().phase).toBe('live')
    const fakes = '/events {"event_type":"consent.given"}'
    expect(log).toEqual([fakes, 'connected', 'microphone', 'camera'])
    await call.leave()
  })

  test('without consent connects nothing, and says what happens now', async () => {
    const { call, log } = await askedInRoom()
    expect(await call.answerConsent('declined')).toBe(true)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'declined' } })
    expect(log).toEqual(['/events {"event_type":"consent.declined"}'])
  })

  test('lets in whoever declines where a moderator decides about recording', async () => {
    const { call, log } = await askedInRoom('optional')
    expect(call.getState()).toEqual({ phase: 'consent', isOptional: true })
    expect(await call.answerConsent('declined')).toBe(true)
    expect(call.getState().phase).toBe('live')
    expect(log).toEqual([
      '/events {"event_type":"consent.declined"}',
      'connected',
      'microphone',
      'camera',
    ])
    await call.leave()
  })

  test('asks on when the answer could not be told', async () => {
    const { call, log, service } = await askedInRoom()
    service.isReached = false
    expect(await call.answerConsent('given')).toBe(false)
    expect(call.getState()).toEqual({ phase: 'consent', isOptional: false })
    expect(log).not.toContain('connected')
    await call.leave()
  })

  test('is over when the room is closed while one is asked', async () => {
    const { call, end } = await askedInRoom()
    end()
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'closed' } })
  })
})
