import { execFile } from 'node:child_process'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clicksOf, makeVideo } from '../../testing/videos.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { makeReel, type ReelJob } from './make-reel.ts'

const log = pino({ level: 'silent' })
const { signal } = new AbortController()
const ffmpeg = await findFfmpeg(undefined)
const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-reels-'))
  await makeVideo(path.join(folder, 'small.mp4'), { durationSec: 8, size: '640x480' })
  const large = { durationSec: 8, size: '1280x720', frameRate: 30, channels: 2 } as const
  await makeVideo(path.join(folder, 'large.mp4'), large)
  await makeVideo(path.join(folder, 'mute.mp4'), { durationSec: 4, hasAudio: false })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const part = (name: string, startSec: number, endSec: number) => {
  const source = { kind: 'path', path: path.join(folder, name) } as const
  return { source, startSec, endSec, captions: [] }
}

const PLAIN = { card: { lines: [], sec: 3 }, watermark: null, track: null }

const make = (job: Partial<ReelJob> & Pick<ReelJob, 'parts'>) =>
  makeReel(ffmpeg, { ...PLAIN, folder, deadlineMs: 120_000, signal, log, ...job })

/** The streams of a file, as ffprobe sees them. */
async function streamsOf(file: string) {
  const args = `-v error -of json -show_streams -show_format ${file}`.split(' ')
  const { stdout } = await run('ffprobe', args)
  return JSON.parse(stdout) as {
    streams: { codec_name: string; width?: number; height?: number; r_frame_rate: string }[]
    format: { duration: string }
  }
}

/** The mean light of a part of a picture. */
async function lightOf(file: string, atSec: number, crop: string): Promise<number> {
  const filter = `crop=${crop},scale=1:1:flags=area,format=gray`
  const args = `-v error -ss ${atSec} -i ${file} -frames:v 1 -vf ${filter} -f rawvideo -`.split(' ')
  const { stdout } = await run(ffmpeg, args, { encoding: 'buffer' })
  return stdout[0] ?? 0
}

test('parts of several sizes and rates become one file, in their order, with sound in its place', async () => {
  const seen: number[] = []
  const made = await make({
    parts: [part('small.mp4', 1.5, 3.5), part('large.mp4', 0.5, 2.5), part('small.mp4', 4.5, 5.5)],
    card: { lines: ['最初の印象', 'First impressions'], sec: 3 },
    onProgress: (sec) => seen.push(sec),
  })
  // The parts are of one kind, so they are encoded once.
  expect(made).toMatchObject({ isLossless: true })
  const { streams, format } = await streamsOf(made.path)
  expect(streams).toMatchObject([
    { codec_name: 'h264', width: 1280, height: 720, r_frame_rate: '30/1' },
    { codec_name: 'aac' },
  ])
  expect(Math.abs(Number(format.duration) - 8)).toBeLessThanOrEqual(0.1)
  const clicks = await clicksOf(made.path)
  expect(clicks.map((sec) => Math.round(sec * 10) / 10)).toEqual([3.5, 4.5, 5.5, 6.5, 7.5])
  expect(Math.max(...seen)).toBeCloseTo(8, 1)
  // The letters of the card.
  expect(await lightOf(made.path, 1, '600:160:340:280')).toBeGreaterThan(
    (await lightOf(made.path, 1, '600:160:340:40')) + 5,
  )
})

// Every machine has a font for a part of the texts.
test('captions are drawn while they are said, and nothing is drawn without them', async () => {
  const captions = [
    { text: 'The scent was very pleasant. 香りです。', row: 1, startSec: 1, endSec: 2 },
    { text: 'After that I tried the taste. 味です。', row: 0, startSec: 1, endSec: 2 },
  ]
  const plain = part('large.mp4', 0, 3)
  const { path: drawn } = await make({ parts: [{ ...plain, captions }] })
  const compared = path.join(folder, 'drawn.mp4')
  await rename(drawn, compared)
  const { path: bare } = await make({ parts: [plain] })
  const differences = await Promise.all(
    [0.5, 1.5, 2.5].map(async (sec) => {
      const [one, other] = [compared, bare].map((file) => lightOf(file, sec, '500:90:390:610'))
      return Math.abs(((await one) ?? 0) - ((await other) ?? 0))
    }),
  )
  expect(differences.map((difference) => difference > 10)).toEqual([false, true, false])
})

test('a track of captions is a stream of the file', async () => {
  const track = 'WEBVTT\n\n00:00:00.500 --> 00:00:01.500\n香り\n'
  const { path: file } = await make({ parts: [part('large.mp4', 0, 2)], track })
  const { streams } = await streamsOf(file)
  expect(streams.map(({ codec_name: name }) => name)).toEqual(['h264', 'aac', 'mov_text'])
  const { stdout } = await run(ffmpeg, `-v error -i ${file} -map 0:s -f webvtt -`.split(' '))
  expect(stdout).toContain('00:00.500 --> 00:01.500\n香り')
})

test('a part without sound is silent', async () => {
  const made = await make({ parts: [part('mute.mp4', 0, 2), part('small.mp4', 2, 4)] })
  expect(Math.abs(made.measured.durationSec - 4)).toBeLessThanOrEqual(0.1)
  const clicks = await clicksOf(made.path)
  expect(clicks.map((sec) => Math.round(sec * 10) / 10)).toEqual([2, 3])
})

test('a watermark that no font writes makes no file', async () => {
  await expect(make({ parts: [part('large.mp4', 0, 1)], watermark: '🙂' })).rejects.toMatchObject({
    problem: 'failed',
  })
})
