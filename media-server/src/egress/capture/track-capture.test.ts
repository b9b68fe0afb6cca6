import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type LogRecord, readRtpLog } from '@interview-room/composer/capture/rtp-log.ts'
import { TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift'
import { steadyNow } from '../../lib/steady-now.ts'
import { InboundTrack } from '../../rtc/inbound-track.ts'
import { TrackCapture } from './track-capture.ts'

const HOUR_MS = 60 * 60_000
const KEY_FRAME = Buffer.of(0x10, 0x00)
const CAPTURE_MS = 10_000

let folder: string
let camera: InboundTrack

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'track-capture-'))
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const info = new TrackInfo({ type: TrackType.VIDEO, source: TrackSource.CAMERA })
  camera = new InboundTrack(info)
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

/** The records of what is captured meanwhile. */
async function captured(meanwhile: () => void): Promise<LogRecord[]> {
  const file = path.join(folder, 'camera.rtp')
  const hooks = { isEncrypted: false, onPacket: () => {}, onError: () => {} }
  const capture = new TrackCapture(camera, { file, clock: () => CAPTURE_MS, ...hooks })
  meanwhile()
  await capture.close()
  const records: LogRecord[] = []
  for await (const record of readRtpLog(file)) records.push(record)
  return records
}

/** A key frame of each of these layers. */
function send(...rids: ('q' | 'f')[]): void {
  for (const rid of rids) {
    camera.receive(new RtpPacket(new RtpHeader({ ssrc: 1 }), KEY_FRAME), rid)
  }
}

const layersOf = (records: readonly LogRecord[]) =>
  records.map((record) => (record.kind === 'packet' ? record.layer : undefined))

describe('a captured camera, when the system clock is set', () => {
  test.each([HOUR_MS, -HOUR_MS])('by %d ms, keeps to its highest layer', async (stepMs) => {
    const records = await captured(() => {
      send('f', 'q', 'f')
      vi.setSystemTime(Date.now() + stepMs)
      vi.advanceTimersByTime(500)
      send('q', 'f')
    })
    expect(layersOf(records)).toEqual([2, 2, 2])
  })

  test.each([HOUR_MS, -HOUR_MS])('by %d ms, continues with a lower layer', async (stepMs) => {
    const records = await captured(() => {
      send('f', 'q')
      vi.setSystemTime(Date.now() + stepMs)
      vi.advanceTimersByTime(1000)
      send('q')
    })
    expect(layersOf(records)).toEqual([2, 0])
  })

  test.each([HOUR_MS, -HOUR_MS])('by %d ms, has reports where they came', async (stepMs) => {
    camera.receiveReport({ atMs: steadyNow(), ssrc: 1, senderMs: 5, timestamp: 6 })
    vi.setSystemTime(Date.now() + stepMs)
    vi.advanceTimersByTime(1000)
    const [report] = await captured(() => {})
    expect(report).toMatchObject({ kind: 'report', senderMs: 5 })
    expect(report?.atMs).toBeCloseTo(CAPTURE_MS - 1000)
  })
})
