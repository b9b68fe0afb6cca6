import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCapture } from '../test/captured-people.ts'
import { encodeCaptureEvent, type CaptureEvent } from './capture/capture-events.ts'
import { compose } from './compose.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { findFonts } from './fonts.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 240_000
const AUDIO_RATE = 48_000
const PACKET_SEC = 1024 / AUDIO_RATE
const FRAME_RATE = 15
const BEGAN_AT = Date.UTC(2026, 5, 1)
// Brighter than the dark tile and the background of a label.
const LETTER_BRIGHTNESS = 120

const program = findFfmpeg(process.env) ?? 'ffmpeg'
const fonts = findFonts()
let folder: string
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'compose-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Size {
  width: number
  height: number
}

/** Composes two people side by side, without camera and microphone; one second unless said otherwise. */
async function composed(
  names: readonly [string, string],
  size: Size,
  { wantedMs, expectedMs } = { wantedMs: 1000, expectedMs: 1000 },
): Promise<string> {
  const captureFolder = path.join(folder, String(++count))
  await mkdir(captureFolder)
  const events: CaptureEvent[] = [
    ...names.map((name, i) => ({
      fact: 'joined' as const,
      atMs: BEGAN_AT,
      participant: `p${i}`,
      name,
    })),
    { fact: 'active', atMs: BEGAN_AT },
    { fact: 'stopped', atMs: BEGAN_AT + wantedMs },
  ]
  await writeFile(
    path.join(captureFolder, 'facts.jsonl'),
    Buffer.concat(events.map(encodeCaptureEvent)),
  )
  const file = path.join(captureFolder, 'composed.mp4')
  const rates = { frameRate: FRAME_RATE, videoKbps: 2500, audioKbps: 128, keyFrameSec: 4 }
  const encoding = { ...size, ...rates }
  const plan = { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding }
  const scratchFolder = path.join(captureFolder, 'scratch')
  const { durationMs } = await compose({
    plan,
    program,
    captures: [{ folder: captureFolder, exhibits: [] }],
    scratchFolder,
    file,
  })
  expect(durationMs).toBeCloseTo(expectedMs, 3)
  return file
}

/** Composes sample people in a grid. */
async function composedPeople(capture: Parameters<typeof writeCapture>[1], size: Size) {
  const captureFolder = path.join(folder, String(++count))
  await mkdir(captureFolder)
  await writeCapture(captureFolder, capture)
  const file = path.join(captureFolder, 'composed.mp4')
  const rates = { frameRate: FRAME_RATE, videoKbps: 2500, audioKbps: 128, keyFrameSec: 4 }
  const encoding = { ...size, ...rates }
  const plan = { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding }
  const captures = [{ folder: captureFolder, exhibits: [] }]
  const scratchFolder = path.join(captureFolder, 'scratch')
  const { activities } = await compose({ plan, program, captures, scratchFolder, file })
  return { file, activities }
}

/** The number of decoded pictures, and the length of the decoded sound in seconds. */
async function contentOf(file: string, size: Size) {
  const video = await decode(file, ['-vsync', '0', '-pix_fmt', 'gray', '-f', 'rawvideo'])
  const audio = await decode(file, ['-ac', '1', '-ar', String(AUDIO_RATE), '-f', 's16le'])
  return {
    frames: video.length / (size.width * size.height),
    audioSec: audio.length / (2 * AUDIO_RATE),
  }
}

/** The brightness of one picture, by default the first, in the size of the file. */
const brightnessOf = (file: string, atSec = 0) =>
  decode(file, ['-ss', String(atSec), '-frames:v', '1', '-pix_fmt', 'gray', '-f', 'rawvideo'])

async function decode(file: string, output: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const
  const { stdout } = await run(program, ['-v', 'error', '-i', file, ...output, '-'], options)
  return stdout
}

/** The letters in a picture: the number of their pixels in each half, and the topmost of them. */
function lettersIn(video: Buffer, { width, height }: Size) {
  const halves = [0, 0]
  const columns = new Set<number>()
  const rows = new Set<number>()
  for (const [index, brightness] of video.entries()) {
    if (brightness < LETTER_BRIGHTNESS) continue
    const half = index % width < width / 2 ? 0 : 1
    halves[half] = (halves[half] ?? 0) + 1
    rows.add(Math.floor(index / width))
    columns.add(index % width)
  }
  const topmost = Math.min(height, ...rows)
  return {
    left: halves[0] ?? 0,
    right: halves[1] ?? 0,
    topmost,
    rows: [...rows],
    columns: [...columns],
  }
}

describe('a composed recording', () => {
  test.skipIf(fonts.latin === undefined && fonts.eastAsian === undefined)(
    'writes a name beside the picture of a portrait phone where it is wider',
    async () => {
      const size = { width: 640, height: 480 }
      const camera = { role: 'camera', sent: [[0, 1000]], colour: 'black', size: '48x96' } as const
      const people = [{ name: 'Alexandra Konstantinopoulou', tracks: [camera] }]
      const { file } = await composedPeople({ lengthMs: 1000, people }, size)
      const video = await brightnessOf(file)
      const { columns } = lettersIn(video, size)
      // The picture takes 240 columns in the middle of the tile.
      expect(Math.min(...columns)).toBeGreaterThan(200)
      expect(Math.max(...columns)).toBeGreaterThan(200 + 240)
    },
    TIMEOUT_MS,
  )

  test.skipIf(fonts.latin === undefined && fonts.eastAsian === undefined)(
    'shows a card where nothing came, and a dark tile where one camera did not come',
    async () => {
      const size = { width: 640, height: 480 }
      const middle = (video: Buffer) => video[(size.height / 4) * size.width + size.width / 4] ?? 0
      const camera = {
        role: 'camera',
        sent: [
          [0, 1000],
          [5000, 6000],
        ],
        colour: 'white',
      } as const
      const microphone = {
        role: 'microphone',
        sent: [
          [0, 3000],
          [5000, 6000],
        ],
      } as const
      const people = [
        { name: 'Alice', tracks: [camera] },
        { name: 'Bob', tracks: [microphone] },
      ]
      const { file, activities } = await composedPeople({ lengthMs: 6000, people }, size)
      expect(activities).toMatchObject([{ identity: 'Bob', levels: { length: 6 } }])
      expect(activities[0]?.speech.length).toBeGreaterThan(0)
      expect(middle(await brightnessOf(file, 0.5))).toBeGreaterThan(LETTER_BRIGHTNESS)
      const dark = await brightnessOf(file, 2)
      expect(middle(dark)).toBeLessThan(LETTER_BRIGHTNESS)
      expect(lettersIn(dark, size).topmost).toBeGreaterThan(size.height / 2)
      const { rows, ...card } = lettersIn(await brightnessOf(file, 4), size)
      expect(Math.min(card.left, card.right)).toBeGreaterThan(20)
      expect(Math.min(...rows)).toBeGreaterThan(size.height * 0.4)
      expect(Math.max(...rows)).toBeLessThan(size.height * 0.6)
      expect(middle(await brightnessOf(file, 5.5))).toBeGreaterThan(LETTER_BRIGHTNESS)
    },
    TIMEOUT_MS,
  )

  test.skipIf(fonts.latin === undefined && fonts.eastAsian === undefined).each([
    { width: 640, height: 480 },
    { width: 1280, height: 720 },
  ])(
    'of $width × $height has that size, and names in the lower part of the tiles',
    async (size) => {
      const video = await brightnessOf(await composed(['Alice', 'Bob Müller'], size))
      expect(video).toHaveLength(size.width * size.height)
      const { left, right, topmost } = lettersIn(video, size)
      expect(Math.min(left, right)).toBeGreaterThan(20)
      expect(right).toBeGreaterThan(left)
      expect(topmost).toBeGreaterThan(size.height / 2)
    },
    TIMEOUT_MS,
  )

  test.each([
    [1000, 15],
    [1005, 16],
    [1040, 16],
    [1065, 16],
    [1070, 17],
  ])(
    'of %i ms has %i frames, and audio for all of them',
    async (wantedMs, frames) => {
      const size = { width: 640, height: 480 }
      const expectedMs = (frames * 1000) / FRAME_RATE
      const file = await composed(['', ''], size, { wantedMs, expectedMs })
      const content = await contentOf(file, size)
      expect(content.frames).toBe(frames)
      const surplusSec = content.audioSec - expectedMs / 1000
      expect(surplusSec).toBeGreaterThan(-0.001)
      expect(surplusSec).toBeLessThan(PACKET_SEC + 0.001)
    },
    TIMEOUT_MS,
  )

  test(
    'of people without names has no captions',
    async () => {
      const size = { width: 640, height: 480 }
      const video = await brightnessOf(await composed(['', ''], size))
      expect(lettersIn(video, size)).toMatchObject({ left: 0, right: 0 })
    },
    TIMEOUT_MS,
  )

  test.skipIf(fonts.eastAsian === undefined)(
    'can have Japanese captions',
    async () => {
      const size = { width: 640, height: 480 }
      const video = await brightnessOf(await composed(['山田 花子', ''], size))
      const { left, right } = lettersIn(video, size)
      expect(left).toBeGreaterThan(50)
      expect(right).toBe(0)
    },
    TIMEOUT_MS,
  )
})
