import { CAPABILITIES, publishedCapabilities } from '@interview-room/contract/capabilities.ts'
import type { ConsentText } from '@interview-room/contract/consent.ts'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { describe, expect, test } from 'vitest'
import type { LiveRequest } from '../live/live-request.ts'
import { createLiveRoom } from '../live/live-room.ts'
import { fakeDrafts } from '../live/testing/fake-page.ts'
import { CallConnection } from './call-connection.ts'
import type { LiveOptions } from './call-tools.ts'
import type { MediaRoom } from './media-room.ts'
import { CLOSED } from './refusal.ts'
import { PREVIEW } from './testing/call-world.ts'

const TEXT: ConsentText = {
  language: 'en',
  version: 'en-2',
  company: 'C',
  purpose: 'P',
  retention: 'R',
  contact: 'c@example.com',
}

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
    recording_consent: 'required',
    observation_consent: 'informed',
  },
  session: null,
  media: { url: 'ws://media', token: 'media' },
  capabilities: publishedCapabilities(CAPABILITIES.panelist),
  closes_at: null,
  consents: { recording: 'pending', observation: 'not_asked' },
  consent_texts: [TEXT, { ...TEXT, language: 'ja', version: 'ja-3' }],
  return_url: null,
  consent: null,
}
const CHOICE = {
  credential: { kind: 'token', token: 't' },
  isMicrophoneOn: true,
  isCameraOn: true,
} as const

const RECORDING = { purpose: 'recording', language: 'en' } as const
const give = { ...RECORDING, answer: 'given' } as const
const decline = { ...RECORDING, answer: 'declined' } as const
const withdraw = { ...RECORDING, answer: 'withdrawn' } as const

/** A recorded room that logs, in order, the requests to the service and to the provider. */
async function askedInRoom(
  recordingConsent: EntryBody['room']['recording_consent'] = 'required',
  observation: EntryBody['consents']['observation'] = 'not_asked',
) {
  const entry = {
    ...ENTRY,
    room: { ...ENTRY.room, recording_consent: recordingConsent },
    consents: { recording: 'pending', observation } as const,
  }
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
      check: async () => ({ ok: true, data: PREVIEW }),
      enter: async () => ({ ok: true, data: entry }),
      renew: async () => {
        log.push('renewed')
        return { ok: true, data: entry }
      },
      reportConnected: async () => true,
    },
    openMediaRoom: () => mediaThatLogs(log),
    openLive: (options) => {
      live = options
      const me = { participantId: null, role: 'panelist' } as const
      return createLiveRoom({ me, drafts: fakeDrafts(), request, onClose: () => {} })
    },
    watchMuted: () => () => {},
    answersAt: async () => true,
    watchSilence: () => () => {},
  })
  await call.check(CHOICE.credential)
  await call.join(CHOICE)
  return { call, log, service, end: () => live?.onEnded(CLOSED) }
}

function mediaThatLogs(log: string[]): MediaRoom {
  return {
    connect: async () => void log.push('connected'),
    sid: () => 'PA_1',
    people: () => [],
    quality: () => 'good',
    isAudioBlocked: () => false,
    identity: () => 'pana',
    setMicrophone: async () => void log.push('microphone'),
    setCamera: async () => void log.push('camera'),
    setScreenShare: async () => {},
    isSharingScreen: () => false,
    isOn: () => true,
    flipCamera: async () => undefined,
    microphoneTrack: () => undefined,
    switchDevice: async () => {},
    startAudio: async () => {},
    reduceNoise: async () => {},
    blurBackground: async () => {},
    sendPointer: () => {},
    close: async () => {},
  }
}

const events = (log: readonly string[]) => log.filter((line) => line.startsWith('/events'))
const eventOf = (word: string, purpose = 'recording') =>
  `/events {"event_type":"consent.${word}","payload":{"purpose":"${purpose}","language":"en","version":"en-2"}}`

describe('entering a room that is recorded', () => {
  test('asks for consent before anything is connected', async () => {
    const { call, log } = await askedInRoom()
    expect(call.getState()).toMatchObject({
      phase: 'consent',
      purpose: 'recording',
      isLast: true,
      consents: { isRecordingRequired: true },
    })
    expect(log).toEqual([])
    await call.leave()
  })

  test('records a consent with the text that was read, and connects with a later token', async () => {
    const { call, log } = await askedInRoom()
    expect(await call.answerConsent(give)).toBe(true)
    expect(call.getState().phase).toBe('live')
    expect(log).toEqual([eventOf('given'), 'renewed', 'connected', 'microphone', 'camera'])
    await call.leave()
  })

  test('connects nothing without consent, and shows what happens next', async () => {
    const { call, log } = await askedInRoom()
    expect(await call.answerConsent(decline)).toBe(true)
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'declined' } })
    expect(log).toEqual([eventOf('declined')])
  })

  test('admits a person who declines if a moderator decides about recording', async () => {
    const { call, log } = await askedInRoom('optional')
    expect(call.getState()).toMatchObject({ consents: { isRecordingRequired: false } })
    expect(await call.answerConsent(decline)).toBe(true)
    expect(call.getState()).toMatchObject({
      phase: 'live',
      facts: { consents: { states: { recording: 'declined' } } },
    })
    expect(log.slice(1)).toEqual(['renewed', 'connected', 'microphone', 'camera'])
    await call.leave()
  })

  test('asks one question after the other, and a person who declines to be observed enters', async () => {
    const { call, log } = await askedInRoom('required', 'pending')
    expect(call.getState()).toMatchObject({ purpose: 'recording', isLast: false })
    await call.answerConsent(give)
    expect(call.getState()).toMatchObject({ purpose: 'observation', isLast: true })
    expect(log).not.toContain('connected')
    await call.answerConsent({ ...decline, purpose: 'observation' })
    expect(call.getState().phase).toBe('live')
    expect(events(log)).toEqual([eventOf('given'), eventOf('declined', 'observation')])
    await call.leave()
  })

  test('keeps asking when the answer could not be sent', async () => {
    const { call, log, service } = await askedInRoom()
    service.isReached = false
    expect(await call.answerConsent(give)).toBe(false)
    expect(call.getState()).toMatchObject({ phase: 'consent', purpose: 'recording' })
    expect(log).not.toContain('connected')
    await call.leave()
  })

  test('ends when the room is closed during the question', async () => {
    const { call, end } = await askedInRoom()
    end()
    expect(call.getState()).toMatchObject({ phase: 'refused', refusal: { page: 'closed' } })
  })
})

describe('in the room', () => {
  test('a consent can be withdrawn and given again if a moderator records', async () => {
    const { call, log } = await askedInRoom('optional')
    await call.answerConsent(give)
    for (const [given, state] of [
      [withdraw, 'withdrawn'],
      [give, 'given'],
    ] as const) {
      expect(await call.changeConsent(given)).toBe(true)
      const consents = { states: { recording: state } }
      expect(call.getState()).toMatchObject({ phase: 'live', facts: { consents } })
    }
    expect(events(log)).toEqual([eventOf('given'), eventOf('withdrawn'), eventOf('given')])
    await call.leave()
  })

  test('a person who withdraws in a room that is always recorded leaves', async () => {
    const { call } = await askedInRoom()
    await call.answerConsent(give)
    await call.changeConsent(withdraw)
    const left = { phase: 'refused', refusal: { page: 'withdrawn' } }
    expect(call.getState()).toMatchObject({ ...left, facts: { me: { role: 'panelist' } } })
  })

  test('nothing changes when the service cannot be reached', async () => {
    const { call, service } = await askedInRoom()
    await call.answerConsent(give)
    service.isReached = false
    expect(await call.changeConsent(withdraw)).toBe(false)
    const consents = { states: { recording: 'given' } }
    expect(call.getState()).toMatchObject({ phase: 'live', facts: { consents } })
    await call.leave()
  })
})
