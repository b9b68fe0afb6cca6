import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny'

const AUDIO_HZ = 8000
const BUFFER_MAX = 256 * 1024 * 1024
const SQUARE_PX = 8
/** The precision of times in a file. */
const ROUNDING_SEC = 0.001

type Place = Record<'x' | 'y', number>
type Colour = Record<'r' | 'g' | 'b', number>

/** A downloaded video, for a test to examine. */
export interface Video {
  durationSec: number
  widthPx: number
  heightPx: number
  /** Codecs of the picture and of the sound, such as `avc` and `aac`. */
  codecs: (string | null)[]
  /** The number of x264 runs that made its picture: each one writes its settings when it begins. */
  encoderRuns: number
  /** Mean colour of a small square, each part 0 to 255. Positions are shares of the picture's size. */
  colourAt(atSec: number, place: Place): Colour
  /** The same for every picture, in order. */
  coloursAt(place: Place): Colour[]
  /** The brightness of each pixel, 0 to 255, in the picture shown at this time. */
  frameAt(atSec: number): Promise<Uint8Array>
  /** Loudness of a tone between two times, as a share of the whole sound there. */
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
  const sink = new EncodedPacketSink(track)
  const sounds = await input.getAudioTracks()
  const [widthPx, heightPx] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-video-'))
  const file = path.join(folder, 'video.mp4')
  writeFileSync(file, bytes)

  const sound = decode(['-i', file, '-vn', '-ac', '1', '-ar', String(AUDIO_HZ), '-f', 's16le', '-'])
  const samples = new Int16Array(sound.buffer, sound.byteOffset, Math.floor(sound.length / 2))
  const spanOf = ({ fromSec, toSec }: { fromSec: number; toSec: number }) =>
    samples.subarray(Math.round(fromSec * AUDIO_HZ), Math.round(toSec * AUDIO_HZ))

  const squareAt = ({ x, y }: Place) => {
    const [left, top] = [x * widthPx - SQUARE_PX / 2, y * heightPx - SQUARE_PX / 2]
    const crop = `crop=${SQUARE_PX}:${SQUARE_PX}:${Math.round(left)}:${Math.round(top)}`
    return ['-vf', crop, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  }

  return {
    durationSec,
    widthPx,
    heightPx,
    codecs: await Promise.all([track, ...sounds].map((each) => each.getCodec())),
    encoderRuns: bytes.toString('latin1').split('x264 - core').length - 1,
    colourAt(atSec, place) {
      const seek = ['-ss', String(atSec), '-i', file, '-frames:v', '1']
      return meanColour(decode([...seek, ...squareAt(place)]))
    },
    coloursAt(place) {
      const pixels = decode(['-i', file, '-vsync', '0', ...squareAt(place)])
      const size = 3 * SQUARE_PX ** 2
      return Array.from({ length: pixels.length / size }, (_, index) =>
        meanColour(pixels.subarray(index * size, (index + 1) * size)),
      )
    },
    async frameAt(atSec) {
      const shown = await sink.getPacket(atSec + ROUNDING_SEC)
      if (shown === null) throw new Error(`nothing is shown at ${atSec} s`)
      const from = `trim=start=${shown.timestamp - ROUNDING_SEC}`
      const gray = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-']
      return decode(['-i', file, '-vf', from, ...gray])
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

/** Mean square of the differences between two pictures, pixel by pixel. */
export function differenceOf(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (const [at, light] of one.entries()) sum += (light - (other[at] ?? 0)) ** 2
  return sum / one.length
}

function meanColour(pixels: Buffer): Colour {
  return { r: meanOf(pixels, 0), g: meanOf(pixels, 1), b: meanOf(pixels, 2) }
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

/** The power at one frequency (Goertzel) in short windows, as a share of all power. */
function shareOf(toneHz: number, samples: Int16Array): number {
  const size = AUDIO_HZ / 10
  const factor = 2 * Math.cos((2 * Math.PI * toneHz) / AUDIO_HZ)
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
  return execFileSync('ffmpeg', ['-v', 'error', ...args], { ...options, stdio: [...options.stdio] })
}
