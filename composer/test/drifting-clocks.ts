import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { encodeCaptureEvent, type CaptureEvent } from '../src/capture/capture-events.ts'
import { encodeRecord, type LogRecord } from '../src/capture/rtp-log.ts'
import { compose } from '../src/compose.ts'
import { audioOf, ffmpeg, program, videoOf } from './sample-media.ts'

const BEGAN_AT = Date.UTC(2026, 5, 1)
// Coarse, for speed: an error of half a frame is shown as a whole one.
const FRAME_RATE = 10
/** Length of the flash and the beep at the beginning of each second. */
const SIGNAL_MS = 100
const SENDER_OFFSET_MS = 123_456
const AUDIO_RATE = 8_000
const SIZE = { width: 160, height: 120 }

interface Stream {
  ssrc: number
  everyMs: number
  unitsPerMs: number
  ppm: number
  level: number
  /** Time from capture to arrival. It is longer for encoded pictures. */
  lagMs: number
  payloadAt: (ms: number) => Buffer
  lengthMs: number
}

/** The log of a track: packets that arrive a little unevenly, with the sender's reports. */
function logOf({
  ssrc,
  everyMs,
  unitsPerMs,
  ppm,
  level,
  lagMs,
  payloadAt,
  lengthMs,
}: Stream): Buffer {
  const out: Buffer[] = []
  const append = (record: LogRecord) => out.push(encodeRecord(record))
  const pace = 1 + ppm / 1e6
  for (let i = 0; (i * everyMs) / pace < lengthMs; i++) {
    // The time of capture: a slow clock takes longer for the same number of samples.
    const ms = (i * everyMs) / pace
    const atMs = BEGAN_AT + ms + lagMs + ((i * 7) % 11)
    const timestamp = (i * everyMs * unitsPerMs) % 2 ** 32
    const sequenceNumber = i % 2 ** 16
    const payload = payloadAt(ms)
    append({
      kind: 'packet',
      atMs,
      ssrc,
      sequenceNumber,
      timestamp,
      level,
      payload,
      layer: 0,
      isLast: true,
    })
    if (i % Math.round(5000 / everyMs) !== 0) continue
    append({ kind: 'report', atMs, ssrc, senderMs: BEGAN_AT + SENDER_OFFSET_MS + ms, timestamp })
  }
  return Buffer.concat(out)
}

const isSignal = (ms: number) => ms % 1000 < SIGNAL_MS - 1

/** The beginnings of runs, in seconds. */
function beginnings(values: ArrayLike<number>, rate: number, least: number): number[] {
  const found: number[] = []
  let last = -rate
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i] ?? 0) < least) continue
    if (i - last > rate / 2) found.push(i / rate)
    last = i
  }
  return found
}

/** The beginnings of flashes and beeps in the last ten seconds of a file, in seconds of these. */
interface LastSignals {
  flashes: number[]
  beeps: number[]
}

/** Composes a person whose picture flashes while the sound beeps, and whose sound card has its own clock. */
async function composeDrifting({
  folder,
  lengthMs,
  audioPpm,
}: {
  folder: string
  lengthMs: number
  audioPpm: number
}): Promise<LastSignals> {
  const [black, white] = [await videoOf('black'), await videoOf('white')]
  const [beep, silence] = [await audioOf('sine=1000:r=48000'), await audioOf('anullsrc=r=48000')]
  const video = {
    ssrc: 1,
    everyMs: 100,
    unitsPerMs: 90,
    ppm: 0,
    level: 127,
    lagMs: 180,
    payloadAt: (ms: number) => (isSignal(ms) ? white : black),
    lengthMs,
  }
  const audio = {
    ssrc: 2,
    everyMs: 20,
    unitsPerMs: 48,
    ppm: audioPpm,
    level: 30,
    lagMs: 10,
    payloadAt: (ms: number) => (isSignal(ms) ? beep : silence),
    lengthMs,
  }
  const own = { atMs: BEGAN_AT, participant: 'p', isMuted: false }
  const facts: CaptureEvent[] = [
    { fact: 'joined', atMs: BEGAN_AT, participant: 'p', name: '' },
    { fact: 'published', ...own, track: 'video', role: 'camera' },
    { fact: 'published', ...own, track: 'audio', role: 'microphone' },
    { fact: 'active', atMs: BEGAN_AT },
    { fact: 'stopped', atMs: BEGAN_AT + lengthMs },
  ]
  await writeFile(path.join(folder, 'facts.jsonl'), Buffer.concat(facts.map(encodeCaptureEvent)))
  await writeFile(path.join(folder, 'video.rtp'), logOf(video))
  await writeFile(path.join(folder, 'audio.rtp'), logOf(audio))
  const file = path.join(folder, 'composed.mp4')
  const rates = { frameRate: FRAME_RATE, videoKbps: 500, audioKbps: 64, keyFrameSec: 5 }
  const encoding = { ...SIZE, ...rates }
  const plan = { layout: 'grid', isFill: true, hasPicture: true, hasSound: true, encoding }
  const scratchFolder = path.join(folder, 'scratch')
  await compose({ plan, program, captures: [{ folder, exhibits: [] }], scratchFolder, file })

  const last = `-ss ${lengthMs / 1000 - 10.5} -i ${file} -t 10`
  const pictures = await ffmpeg(`${last} -vf scale=1:1:flags=area,format=gray -f rawvideo pipe:1`)
  const sound = await ffmpeg(`${last} -ac 1 -ar ${AUDIO_RATE} -f f32le pipe:1`)
  const samples = new Float32Array(sound.buffer, sound.byteOffset, sound.length / 4)
  return {
    flashes: beginnings(pictures, FRAME_RATE, 128),
    beeps: beginnings(samples, AUDIO_RATE, 0.05),
  }
}

/** Composes a file whose clocks drift, and requires that audio and video are in step at its end. */
export async function expectTogether(drift: { lengthMs: number; audioPpm: number }): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'drift-'))
  try {
    const { flashes, beeps } = await composeDrifting({ folder, ...drift })
    expect(flashes.length).toBeGreaterThanOrEqual(9)
    expect(beeps).toHaveLength(flashes.length)
    const apartMs = flashes.map((sec, i) => Math.abs(sec - (beeps[i] ?? 0)) * 1000)
    expect(Math.max(...apartMs)).toBeLessThan(80)
    // They must also be at their expected times, half a second after the first examined frame.
    expect(Math.abs((flashes[0] ?? 0) - 0.5) * 1000).toBeLessThanOrEqual(1000 / FRAME_RATE)
  } finally {
    await rm(folder, { recursive: true })
  }
}
