import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeCaptureEvent, type CaptureEvent } from './capture/capture-events.ts'
import { compose } from './compose.ts'
import type { Exhibit } from './exhibits.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { EmptyCapturesError, UnreadableCaptureError } from './read-material.ts'

const run = promisify(execFile)
const program = findFfmpeg(process.env) ?? 'ffmpeg'
const TIMEOUT_MS = 120_000
const FRAME_RATE = 10
const SIZE = { width: 320, height: 180 }
const AUDIO_RATE = 8_000
const BEGAN_AT = Date.UTC(2026, 5, 1)
/** The video gets brighter by so much with each second. */
const BRIGHTER_PER_SEC = 50
const DARKEST = 20

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'exhibits-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function ffmpeg(args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const
  return (await run(program, ['-v', 'error', ...args], options)).stdout
}

/** Two people without camera and microphone, between two moments. */
async function captured(name: string, [fromMs, toMs]: readonly [number, number]): Promise<string> {
  const captureFolder = path.join(folder, name)
  await mkdir(captureFolder)
  const joined = ['a', 'b'].map((participant) => ({
    fact: 'joined' as const,
    atMs: BEGAN_AT + fromMs,
    participant,
    name: '',
  }))
  const events: CaptureEvent[] = [
    ...joined,
    { fact: 'active', atMs: BEGAN_AT + fromMs },
    { fact: 'stopped', atMs: BEGAN_AT + toMs },
  ]
  const content = Buffer.concat(events.map(encodeCaptureEvent))
  await writeFile(path.join(captureFolder, 'facts.jsonl'), content)
  return captureFolder
}

async function composed(folders: string[], exhibits: Exhibit[], onProgress?: () => void) {
  const file = path.join(folder, 'composed.mp4')
  const rates = { frameRate: FRAME_RATE, videoKbps: 2500, audioKbps: 64, keyFrameSec: 4 }
  const encoding = { ...SIZE, ...rates }
  const plan = { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding }
  const scratchFolder = path.join(folder, 'scratch')
  const captures = folders.map((each) => ({ folder: each, exhibits }))
  const job = { plan, program, captures, scratchFolder, file }
  const { durationMs } = await compose(job, onProgress)
  const pictures = await ffmpeg(['-i', file, '-pix_fmt', 'yuv444p', '-f', 'rawvideo', '-'])
  const samples = ['-ac', '1', '-ar', String(AUDIO_RATE), '-f', 'f32le', '-']
  const decoded = await ffmpeg(['-i', file, ...samples])
  const sound = new Float32Array(new Uint8Array(decoded).buffer)
  return { durationMs, pictures, sound }
}

/** Brightness and colour of a point of a frame. */
function pointOf(pictures: Buffer, frame: number, [x, y]: readonly [number, number]) {
  const plane = SIZE.width * SIZE.height
  const at = frame * plane * 3 + y * SIZE.width + x
  return [pictures[at] ?? 0, pictures[at + plane] ?? 0, pictures[at + 2 * plane] ?? 0] as const
}

function loudnessOf(sound: Float32Array, [fromSec, toSec]: readonly [number, number]): number {
  const part = sound.subarray(fromSec * AUDIO_RATE, toSec * AUDIO_RATE)
  return Math.max(...part.map(Math.abs))
}

const at = (ms: number) => BEGAN_AT + ms

/** Points in the middle of the exhibit, and of the first person's tile beside it. */
const STAGE = [124, 90] as const
const TILE = [284, 50] as const
const RED = [81, 90, 240]

describe('a recording of a room in which something was shown', () => {
  test(
    'has images and videos in step, without the pauses between its segments',
    async () => {
      const image = path.join(folder, 'image.png')
      await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=160x90', '-frames:v', '1', image])
      const video = path.join(folder, 'video.mp4')
      const brightness = `geq=lum=${DARKEST}+floor(T*10)*${BRIGHTER_PER_SEC / 10}:cb=128:cr=128`
      const moving = ['-f', 'lavfi', '-i', `color=black:s=160x90:r=25:d=4,${brightness}`]
      const beeping = ['-f', 'lavfi', '-i', 'sine=440:r=48000:d=4']
      const codecs = ['-c:v', 'libx264', '-c:a', 'aac', '-pix_fmt', 'yuv420p']
      await ffmpeg([...moving, ...beeping, ...codecs, video])
      const exhibits: Exhibit[] = [
        { kind: 'image', file: image, fromMs: at(200), toMs: at(700), playback: [] },
        {
          kind: 'video',
          file: video,
          fromMs: at(800),
          toMs: at(11_100),
          playback: [
            { atMs: at(1_000), positionSec: 0.5, isPlaying: true },
            { atMs: at(9_500), positionSec: 2, isPlaying: false },
            { atMs: at(10_500), positionSec: 3, isPlaying: true },
          ],
        },
        // An unreadable file, so that only the people are shown.
        { kind: 'image', file: `${image}.gone`, fromMs: at(0), toMs: at(150), playback: [] },
      ]
      const parts = [await captured('1', [0, 2000]), await captured('2', [10_000, 11_500])]
      let reports = 0
      const { durationMs, pictures, sound } = await composed(parts, exhibits, () => reports++)
      expect(durationMs).toBeCloseTo(3500, 3)
      expect(reports).toBeGreaterThan(1)

      const red = pointOf(pictures, 4, STAGE)
      for (const [i, value] of RED.entries()) {
        expect(Math.abs((red[i] ?? 0) - value)).toBeLessThan(12)
      }
      expect(pointOf(pictures, 4, TILE)[0]).toBeLessThan(60)
      for (const frame of [1, 7, 33]) expect(pointOf(pictures, frame, STAGE)[2]).toBeLessThan(140)

      const positionAt = (frame: number) =>
        (pointOf(pictures, frame, STAGE)[0] - DARKEST) / BRIGHTER_PER_SEC
      const expected = { 9: 0, 11: 0.6, 15: 1, 19: 1.4, 21: 2, 24: 2, 26: 3.1, 29: 3.4 }
      for (const [frame, sec] of Object.entries(expected)) {
        expect(Math.abs(positionAt(Number(frame)) - sec), `of frame ${frame}`).toBeLessThan(0.2)
      }

      expect(loudnessOf(sound, [0.2, 0.9])).toBeLessThan(0.01)
      expect(loudnessOf(sound, [1.1, 1.9])).toBeGreaterThan(0.05)
      expect(loudnessOf(sound, [2.1, 2.4])).toBeLessThan(0.01)
      expect(loudnessOf(sound, [2.6, 3])).toBeGreaterThan(0.05)
      expect(loudnessOf(sound, [3.2, 3.5])).toBeLessThan(0.01)
    },
    TIMEOUT_MS,
  )

  test('has nothing of a capture that ended before any media, and is not made from only such captures', async () => {
    const empty = path.join(folder, 'empty')
    await mkdir(empty)
    const begun = encodeCaptureEvent({ fact: 'active', atMs: BEGAN_AT })
    await writeFile(path.join(empty, 'facts.jsonl'), begun)
    const { durationMs } = await composed([empty, await captured('other', [1000, 1500])], [])
    expect(durationMs).toBeCloseTo(500, 3)
    await expect(composed([empty], [])).rejects.toBeInstanceOf(EmptyCapturesError)
  })

  test('is not made from an unreadable capture, which the error names', async () => {
    const broken = path.join(folder, 'broken')
    await mkdir(broken)
    await writeFile(path.join(broken, 'facts.jsonl'), 'no events\n')
    const parts = [await captured('whole', [0, 500]), broken]
    const failed = await composed(parts, []).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(UnreadableCaptureError)
    expect(failed).toMatchObject({ index: 1 })
  })
})
