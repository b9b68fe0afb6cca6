import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readCaptureEvents } from '@interview-room/composer/capture/capture-events.ts'
import { readRtpLog } from '@interview-room/composer/capture/rtp-log.ts'
import { Encryption_Type, TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift'
import { InboundTrack } from '../../rtc/inbound-track.ts'
import type { CapturableParticipant, CaptureSource, RoomWatcher } from './capture-source.ts'
import { RoomCapture } from './room-capture.ts'

// A descriptor that begins a frame, and the frame's first byte: a key frame, one that builds on it.
const KEY_FRAME = Buffer.of(0x10, 0x00)
const NEXT_FRAME = Buffer.of(0x10, 0x01)
const SOUND = Buffer.of(0xfc)
const VIDEO_WAIT_MS = 1000
const STOOD_STILL_MS = 2100

let folder: string
const open: RoomCapture[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  folder = await mkdtemp(path.join(tmpdir(), 'room-capture-'))
})

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((capture) => capture.close()))
  await rm(folder, { recursive: true })
})

function makeTrack(sid: string, source: TrackSource, muted = false): InboundTrack {
  const isAudio = source === TrackSource.MICROPHONE
  const type = isAudio ? TrackType.AUDIO : TrackType.VIDEO
  return new InboundTrack(new TrackInfo({ sid, type, source, muted }))
}

function capture(...tracks: readonly InboundTrack[]) {
  const onActive = vi.fn()
  const person = {
    sid: 'PA_1',
    identity: 'one',
    name: 'One',
    isActive: true,
    permission: { canPublish: true },
    announcedTracks: tracks,
    isHidden: false,
  } satisfies CapturableParticipant
  const room = {
    participants: new Map([['one', person]]),
    watchers: new Set<RoomWatcher>(),
    isFinished: false,
  } satisfies CaptureSource
  const hooks = { onActive, onSourceClosed: () => {}, onError: () => {}, onUnrecordable: () => {} }
  const selection = { of: 'room', hasSound: true, hasPicture: true } as const
  open.push(new RoomCapture(room, { folder, selection, hooks }))
  return { onActive, room }
}

/** As a process that is stopped. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

let sequenceNumber = 0
function send(track: InboundTrack, payload: Buffer, { marker = true } = {}): void {
  const header = new RtpHeader({ sequenceNumber: ++sequenceNumber, ssrc: 1, marker })
  track.receive(new RtpPacket(header, payload), '')
}

const lacks = () => open[0]?.trackReports.map(({ role, lack }) => [role, lack?.reason])

/** The capture's clock is that of the process. */
function wait(ms: number): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
}

describe('the report of the tracks of a capture', () => {
  const SILENT_MS = 5000
  afterEach(() => vi.restoreAllMocks())

  test('names a camera that is switched on and sends nothing', () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA)
    capture(microphone, camera)
    send(camera, KEY_FRAME)
    send(microphone, SOUND)
    expect(lacks()).toEqual([
      ['microphone', undefined],
      ['camera', undefined],
    ])
    wait(SILENT_MS + 1)
    send(microphone, SOUND)
    expect(lacks()).toEqual([
      ['microphone', undefined],
      ['camera', 'no_media'],
    ])
    expect(open[0]?.trackReports).toMatchObject([
      { identity: 'one', takenBytes: 2 },
      { identity: 'one', takenBytes: 2 },
    ])
    send(camera, KEY_FRAME)
    expect(lacks()?.[1]).toEqual(['camera', undefined])
  })

  test('does not name muted cameras, and screens that do not change', () => {
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA, true)
    const screen = makeTrack('TR_VS1', TrackSource.SCREEN_SHARE)
    const late = makeTrack('TR_VS2', TrackSource.SCREEN_SHARE)
    capture(camera, screen, late)
    send(screen, KEY_FRAME)
    vi.advanceTimersByTime(VIDEO_WAIT_MS)
    wait(2 * SILENT_MS)
    expect(lacks()).toEqual([
      ['camera', undefined],
      ['screen', undefined],
      ['screen', 'no_media'],
    ])
  })

  test('names what is encrypted or in another codec immediately', () => {
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA)
    camera.info.encryption = Encryption_Type.GCM
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    capture(camera, microphone)
    send(camera, KEY_FRAME)
    open[0]?.unrecordable('TR_AM1', 'not Opus', 'audio/PCMU')
    expect(lacks()).toEqual([
      ['camera', 'encrypted'],
      ['microphone', 'codec_unsupported'],
    ])
  })
})

describe('a capture', () => {
  test('of what a client encrypts end to end begins, and has none of its packets', async () => {
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA)
    camera.info.encryption = Encryption_Type.GCM
    const { onActive } = capture(camera)
    send(camera, KEY_FRAME)
    expect(onActive).toHaveBeenCalledOnce()
    const [before] = [open[0]?.writtenBytes ?? 0]
    send(camera, NEXT_FRAME)
    expect(open[0]?.writtenBytes).toBeGreaterThan(before)
    const next = path.join(folder, 'next')
    await mkdir(next)
    await open[0]?.moveOn(next)
    await open[0]?.stop()
    const published = { fact: 'published', track: 'TR_VC1', isEncrypted: true }
    const [, first] = await readCaptureEvents(path.join(folder, 'facts.jsonl'))
    expect(first).toMatchObject(published)
    const lost = await readCaptureEvents(path.join(next, 'facts.jsonl'))
    expect(lost).toContainEqual(expect.objectContaining(published))
    const records = []
    for await (const record of readRtpLog(path.join(folder, 'TR_VC1.rtp'))) records.push(record)
    expect(records).toEqual([])
  })

  test('of audio begins with the first packet', () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const { onActive } = capture(microphone)
    expect(onActive).not.toHaveBeenCalled()
    send(microphone, SOUND)
    expect(onActive).toHaveBeenCalledOnce()
  })

  test('begins when every active camera has a complete frame', async () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const cameras = ['TR_VC1', 'TR_VC2'].map((sid) => makeTrack(sid, TrackSource.CAMERA))
    const [first, second] = cameras as [InboundTrack, InboundTrack]
    const isMuted = true
    const off = makeTrack('TR_VC3', TrackSource.CAMERA, isMuted)
    const { onActive } = capture(microphone, first, second, off)
    send(microphone, SOUND)
    send(first, KEY_FRAME)
    send(second, NEXT_FRAME)
    send(second, KEY_FRAME, { marker: false })
    expect(onActive).not.toHaveBeenCalled()
    send(second, NEXT_FRAME)
    expect(onActive).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(2 * VIDEO_WAIT_MS)
    expect(onActive).toHaveBeenCalledOnce()
    await open[0]?.stop()
    const events = await readCaptureEvents(path.join(folder, 'facts.jsonl'))
    expect(events.filter(({ fact }) => fact === 'active')).toHaveLength(1)
  })

  test('begins without a camera that sends nothing for a second', () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const { onActive } = capture(microphone, makeTrack('TR_VC1', TrackSource.CAMERA))
    send(microphone, SOUND)
    vi.advanceTimersByTime(VIDEO_WAIT_MS - 1)
    send(microphone, SOUND)
    expect(onActive).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onActive).toHaveBeenCalledOnce()
  })

  test('does not wait for a camera that is switched off or leaves meanwhile', () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA)
    const { onActive, room } = capture(microphone, camera)
    send(microphone, SOUND)
    camera.setMuted(true)
    for (const watcher of room.watchers) watcher.changed()
    send(microphone, SOUND)
    expect(onActive).toHaveBeenCalledOnce()
  })

  test('does not wait for a camera that cannot be recorded', () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const { onActive, room } = capture(microphone, makeTrack('TR_VC1', TrackSource.CAMERA))
    for (const watcher of room.watchers) watcher.unrecordable('TR_VC1', 'video/H264')
    send(microphone, SOUND)
    expect(onActive).toHaveBeenCalledOnce()
  })

  test('notes a codec that is not captured, once, and that the track comes after all', async () => {
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA)
    const { room } = capture(camera)
    for (const watcher of room.watchers) {
      watcher.unrecordable('TR_VC1', 'video/VP9, only VP8 and Opus are', 'video/VP9')
      watcher.unrecordable('TR_VC1', 'video/VP9, only VP8 and Opus are', 'video/VP9')
    }
    send(camera, KEY_FRAME)
    send(camera, NEXT_FRAME)
    await open[0]?.stop()
    const events = await readCaptureEvents(path.join(folder, 'facts.jsonl'))
    expect(events.filter(({ fact }) => fact.endsWith('recordable'))).toMatchObject([
      { fact: 'unrecordable', track: 'TR_VC1', codec: 'video/VP9' },
      { fact: 'recordable', track: 'TR_VC1' },
    ])
  })

  test('lists what is there where it continues in another folder, for readers without the one before', async () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA, true)
    const { room } = capture(microphone, camera)
    for (const watcher of room.watchers) watcher.unrecordable('TR_VC1', 'VP9', 'video/VP9')
    send(microphone, SOUND)
    const next = path.join(folder, 'next')
    await mkdir(next)
    await open[0]?.moveOn(next)
    camera.setMuted(false)
    for (const watcher of room.watchers) watcher.changed()
    await open[0]?.stop()
    const before = await readCaptureEvents(path.join(folder, 'facts.jsonl'))
    const events = await readCaptureEvents(path.join(next, 'facts.jsonl'))
    const listed = before.filter(({ fact }) => fact !== 'active')
    const atMs = events.find(({ fact }) => fact === 'resumed')?.atMs
    expect(events).toEqual([
      before.find(({ fact }) => fact === 'active'),
      { fact: 'resumed', atMs },
      ...listed.map((event) => ({ ...event, atMs })),
      expect.objectContaining({ fact: 'unmuted', track: 'TR_VC1' }),
      expect.objectContaining({ fact: 'stopped' }),
    ])
    await appendFile(
      path.join(folder, 'facts.jsonl'),
      await readFile(path.join(next, 'facts.jsonl')),
    )
    const all = await readCaptureEvents(path.join(folder, 'facts.jsonl'))
    expect(all).toEqual([...before, ...events.slice(-2)])
  })

  test('notes that its process stood still while it recorded', async () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    capture(microphone)
    standStill(STOOD_STILL_MS)
    send(microphone, SOUND)
    standStill(STOOD_STILL_MS)
    await open[0]?.stop()
    const events = await readCaptureEvents(path.join(folder, 'facts.jsonl'))
    const noted = events.flatMap((event) =>
      event.fact === 'stood_still' ? [event.atMs - event.sinceMs] : [],
    )
    expect(noted).toHaveLength(1)
    expect(noted[0]).toBeGreaterThanOrEqual(STOOD_STILL_MS)
  })

  test('logs padding, whose number would otherwise look like a loss', async () => {
    const camera = makeTrack('TR_VC1', TrackSource.CAMERA)
    const { onActive } = capture(camera)
    send(camera, KEY_FRAME, { marker: false })
    send(camera, Buffer.alloc(0))
    expect(onActive).not.toHaveBeenCalled()
    send(camera, NEXT_FRAME)
    await open[0]?.stop()
    const sizes = []
    for await (const record of readRtpLog(path.join(folder, 'TR_VC1.rtp'))) {
      if (record.kind === 'packet') sizes.push(record.payload.length)
    }
    expect(sizes).toEqual([2, 0, 2])
  })

  test('that is closed before it began never begins', async () => {
    const microphone = makeTrack('TR_AM1', TrackSource.MICROPHONE)
    const { onActive } = capture(microphone, makeTrack('TR_VC1', TrackSource.CAMERA))
    send(microphone, SOUND)
    await open[0]?.close()
    vi.advanceTimersByTime(VIDEO_WAIT_MS)
    expect(onActive).not.toHaveBeenCalled()
  })
})
