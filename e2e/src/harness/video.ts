import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BufferSource, Input, MP4 } from 'mediabunny'

const SOUND_HZ = 8000
const BUFFER_MAX = 256 * 1024 * 1024

/** A video that came over the line, for a test to look at and listen to. */
export interface Video {
  durationSec: number
  widthPx: number
  heightPx: number
  /** Mean colour of a small square, each part 0 to 255; places are parts of the picture's size. */
  colourAt(atSec: number, place: { x: number; y: number }): { r: number; g: number; b: number }
  /** How loud a tone is between two times, as a part of the whole sound there. */
  loudnessOf(toneHz: number, span: { fromSec: number; toSec: number }): number
  /** Root mean square of the sound between two times, 0 to 1. */
  volume(span: { fromSec: number; toSec: number }): number
  dispose(): void
}

export async function openVideo(bytes: Buffer): Promise<Video> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] })
  const durationSec = await input.computeDuration()
  const track = await input.getPrimaryVideoTrack()
  if (track === null) throw new Error('the video has no picture')
  const [widthPx, heightPx] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-video-'))
  const file = path.join(folder, 'video.mp4')
  writeFileSync(file, bytes)

  const sound = decode(['-i', file, '-vn', '-ac', '1', '-ar', String(SOUND_HZ), '-f', 's16le', '-'])
  const samples = new Int16Array(sound.buffer, sound.byteOffset, Math.floor(sound.length / 2))
  const spanOf = ({ fromSec, toSec }: { fromSec: number; toSec: number }) =>
    samples.subarray(Math.round(fromSec * SOUND_HZ), Math.round(toSec * SOUND_HZ))

  return {
    durationSec,
    widthPx,
    heightPx,
    colourAt(atSec, { x, y }) {
      const side = 8
      const [left, top] = [Math.round(x * widthPx) - 4, Math.round(y * heightPx) - 4]
      const crop = `crop=${side}:${side}:${left}:${top}`
      const seek = ['-ss', String(atSec), '-i', file, '-frames:v', '1', '-vf', crop]
      const pixels = decode([...seek, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'])
      return { r: meanOf(pixels, 0), g: meanOf(pixels, 1), b: meanOf(pixels, 2) }
    },
    loudnessOf: (toneHz, span) => shareOf(toneHz, spanOf(span)),
    volume: (span) => Math.sqrt(powerOf(spanOf(span))) / 32_768,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A microphone for a browser: a voice of one tone that comes and goes like syllables. */
export function writeVoice(file: string, toneHz: number): void {
  const rate = 48_000
  const samples = new Int16Array(rate * 10)
  for (let at = 0; at < samples.length; at += 1) {
    const sec = at / rate
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 2.5 * sec))
    const overtone = 0.3 * Math.sin(4 * Math.PI * toneHz * sec)
    samples[at] = 14_000 * syllable * (Math.sin(2 * Math.PI * toneHz * sec) + overtone)
  }
  writeFileSync(
    file,
    Buffer.concat([wavHeader(samples.byteLength, rate), Buffer.from(samples.buffer)]),
  )
}

export function wavHeader(dataBytes: number, rate: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}

function meanOf(pixels: Buffer, part: number): number {
  let sum = 0
  for (let at = part; at < pixels.length; at += 3) sum += pixels[at] ?? 0
  return sum / (pixels.length / 3)
}

function powerOf(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return sum / Math.max(1, samples.length)
}

/** The power at one frequency (Goertzel) in short windows, as a part of all power. */
function shareOf(toneHz: number, samples: Int16Array): number {
  const size = SOUND_HZ / 10
  const factor = 2 * Math.cos((2 * Math.PI * toneHz) / SOUND_HZ)
  let atTone = 0
  for (let start = 0; start + size <= samples.length; start += size) {
    let [last, before] = [0, 0]
    for (let at = start; at < start + size; at += 1) {
      ;[last, before] = [(samples[at] ?? 0) + factor * last - before, last]
    }
    atTone += (2 * (last * last + before * before - factor * last * before)) / (size * size)
  }
  const windows = Math.floor(samples.length / size)
  return atTone / Math.max(1, windows) / Math.max(1, powerOf(samples))
}

function decode(args: readonly string[]): Buffer {
  const options = { maxBuffer: BUFFER_MAX, stdio: ['ignore', 'pipe', 'ignore'] as const }
  return execFileSync(ffmpeg(), ['-v', 'error', ...args], { ...options, stdio: [...options.stdio] })
}

/** The system's, or the one that npm brought. */
export function ffmpeg(): string {
  if (spawnSync('ffmpeg', ['-version']).status === 0) return 'ffmpeg'
  return (createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string }).path
}
