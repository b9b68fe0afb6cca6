import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clicksOf, frameNumbersOf, makeVideo } from '../../testing/videos.ts'
import { StorageError } from '../ports/storage.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { joinVideos } from './join-videos.ts'
import { measureVideo } from './measure-video.ts'
import { isInStep } from './parts.ts'

const FRAME_SEC = 1 / 15
const log = pino({ level: 'silent' })
const { signal } = new AbortController()
let folder: string
const HALF_PACKET_SEC = 512 / 48_000
/** A click does not start at full volume. */
const ONSET_SEC = 0.002
/** How much sooner than its picture the sound of each part ends. */
const LACKING_SECS = [0.01, 0.03, 0.6, 0, 0.02, 0.033, 0.015, 0.025]
const CHANNELS = [1, 2] as const
const at = (name: string) => path.join(folder, name)
const placeOf = (name: string) => ({ kind: 'path', path: at(name) }) as const

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-join-'))
  await makeVideo(at('first.mp4'), { durationSec: 7.4 })
  await makeVideo(at('second.mp4'), { durationSec: 5.2 })
  await makeVideo(at("it's the third.mp4"), { durationSec: 3 })
  await makeVideo(at('larger.mp4'), { durationSec: 3, size: '640x360', frameRate: 30 })
  await makeVideo(at('mute.mp4'), { durationSec: 2, hasAudio: false })
  await makeVideo(at('late.mp4'), { durationSec: 3, startSec: 2 })
  await makeVideo(at('dark.mp4'), { durationSec: 2, hasVideo: false })
  for (const channels of CHANNELS) {
    for (const [index, lackingSec] of LACKING_SECS.entries()) {
      const file = at(`lacking-${index}-${channels}.mp4`)
      await makeVideo(file, { durationSec: 2, audioSec: 2 - lackingSec, channels })
    }
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** 0, 1, 2, ... of each part. */
const numbers = (...counts: number[]) =>
  counts.flatMap((count) => Array.from({ length: count }, (_, number) => number))

const rounded = (times: readonly number[]) => times.map((sec) => Math.round(sec * 10) / 10)

const ffmpeg = await findFfmpeg(undefined)

const join = (...names: string[]) =>
  joinVideos(ffmpeg, { parts: names.map(placeOf), folder, deadlineMs: 60_000, signal, log })

describe('joining', () => {
  test('parts of one kind loses nothing: every picture, in order, as long as the parts', async () => {
    const joined = await join('first.mp4', 'second.mp4', "it's the third.mp4")
    expect(joined.isLossless).toBe(true)
    expect(Math.abs(joined.measured.durationSec - 15.6)).toBeLessThanOrEqual(FRAME_SEC)
    expect(await frameNumbersOf(joined.path)).toEqual(numbers(111, 78, 45))
  })

  test('segments of one kind keeps audio and video in step after each seam', async () => {
    const joined = await join('first.mp4', 'second.mp4', "it's the third.mp4")
    const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 7.4, 8.4, 9.4, 10.4, 11.4, 12.4, 12.6, 13.6, 14.6]
    expect(rounded(await clicksOf(joined.path))).toEqual(seconds)
    const parts = await Promise.all(
      ['first.mp4', 'second.mp4', "it's the third.mp4"].map(async (name) => ({
        location: placeOf(name),
        ...(await measureVideo(placeOf(name))),
      })),
    )
    const location = { kind: 'path', path: joined.path } as const
    expect(await isInStep(parts, location, signal)).toBe(true)
    expect(await isInStep(parts.toReversed(), location, signal)).toBe(false)
  })

  test.each(CHANNELS)(
    'parts whose sound (%i) ends before their picture loses nothing: what lacks is silence',
    async (channels) => {
      const joined = await join(
        ...LACKING_SECS.map((_, index) => `lacking-${index}-${channels}.mp4`),
      )
      expect(joined.isLossless).toBe(true)
      expect(Math.abs(joined.measured.durationSec - 16)).toBeLessThanOrEqual(FRAME_SEC)
      expect(await frameNumbersOf(joined.path)).toEqual(numbers(...LACKING_SECS.map(() => 30)))
      // Counted, not by the times in the file. Clicks at a seam are cut by it, those between are not.
      const clicks = await clicksOf(joined.path, { isCounted: true })
      const between = clicks.filter((sec) => Math.round(sec) % 2 === 1)
      expect(between).toHaveLength(LACKING_SECS.length)
      for (const sec of between) {
        expect(Math.abs(sec - Math.round(sec))).toBeLessThan(HALF_PACKET_SEC + ONSET_SEC)
      }
    },
  )

  test('one part is that part', async () => {
    const joined = await join('second.mp4')
    expect(joined.isLossless).toBe(true)
    expect(await frameNumbersOf(joined.path)).toEqual(numbers(78))
  })

  test('parts of different sizes and rates makes one video of the larger, in step', async () => {
    const joined = await join('second.mp4', 'larger.mp4')
    expect(joined.isLossless).toBe(false)
    expect(joined.measured.video).toMatchObject({ widthPx: 640, heightPx: 360 })
    expect(Math.abs(joined.measured.durationSec - 8.2)).toBeLessThanOrEqual(FRAME_SEC)
    expect(rounded(await clicksOf(joined.path))).toEqual([0, 1, 2, 3, 4, 5, 5.2, 6.2, 7.2])
  })

  test('parts of different kinds keeps the place of one that begins late', async () => {
    const { path: file, measured } = await join('larger.mp4', 'late.mp4')
    expect(Math.abs(measured.durationSec - 8)).toBeLessThanOrEqual(FRAME_SEC)
    expect(rounded(await clicksOf(file))).toEqual([0, 1, 2, 5, 6, 7])
  })

  test('parts without sound or picture fills in silence and black', async () => {
    const joined = await join('mute.mp4', "it's the third.mp4", 'dark.mp4')
    expect(joined.isLossless).toBe(false)
    expect(Math.abs(joined.measured.durationSec - 7)).toBeLessThanOrEqual(FRAME_SEC)
    expect(rounded(await clicksOf(joined.path))).toEqual([2, 3, 4, 5, 6])
  })
})

test('a part that is broken off is not joined as if the rest of it were silent', async () => {
  const whole = await readFile(at('first.mp4'))
  await writeFile(at('broken-off.mp4'), whole.subarray(0, Math.floor(whole.length / 2)))
  const parts = ['broken-off.mp4', 'second.mp4'].map(placeOf)
  const joining = joinVideos(ffmpeg, { parts, folder, deadlineMs: 60_000, signal, log })
  await expect(joining).rejects.toMatchObject({ problem: 'unreadable' })
})

test('parts are not called unreadable if only the program failed', async () => {
  const parts = ['second.mp4', 'larger.mp4'].map(placeOf)
  const joining = joinVideos('false', { parts, folder, deadlineMs: 60_000, signal, log })
  await expect(joining).rejects.toMatchObject({ problem: 'failed' })
})

test('a file that the system does not give is a storage failure', async () => {
  await expect(measureVideo(placeOf('.'))).rejects.toBeInstanceOf(StorageError)
})

test('a file that is not a video is unreadable, and one that cannot be fetched is a storage failure', async () => {
  const unreadable = { kind: 'path', path: import.meta.filename } as const
  await expect(measureVideo(unreadable)).rejects.toMatchObject({ problem: 'unreadable' })
  const unreachable = { kind: 'url', url: 'http://127.0.0.1:1/x.mp4?signature=secret' } as const
  const failure = await measureVideo(unreachable).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StorageError)
  expect(String(failure)).not.toContain('secret')
})
