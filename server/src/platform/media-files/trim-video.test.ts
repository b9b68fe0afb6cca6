import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clicksOf, frameNumbersOf, makeVideo } from '../../testing/videos.ts'
import { systemClock } from '../lib/clock.ts'
import type { ObjectLocation } from '../ports/storage.ts'
import { repeatSample } from '../sandbox/repeat-sample.ts'
import { newVideoKey } from '../storage/object-key.ts'
import { type FolderSetting, startFolder } from '../storage/testing/settings.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { trimVideo } from './trim-video.ts'

const FRAME_RATE = 15
/** It has ten pictures a second. */
const SAMPLE = path.join(import.meta.dirname, '../sandbox/sample-recording.mp4')
const FRAME_SEC = 1 / FRAME_RATE
const log = pino({ level: 'silent' })
const { signal } = new AbortController()

let folder: string
let setting: FolderSetting
/** The same video, read from the disk and by HTTP. */
let locations: Record<'a path' | 'an address', ObjectLocation>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-trimming-'))
  const file = path.join(folder, 'source.mp4')
  await makeVideo(file, { durationSec: 40 })
  await makeVideo(path.join(folder, 'mute.mp4'), { durationSec: 4, hasAudio: false })
  await makeVideo(path.join(folder, 'dark.mp4'), { durationSec: 4, hasVideo: false })
  await makeVideo(path.join(folder, 'silent-end.mp4'), { durationSec: 4, audioSec: 1 })
  await makeVideo(path.join(folder, 'late.mp4'), { durationSec: 10, startSec: 5 })
  setting = await startFolder()
  const storage = setting.open(systemClock)
  const key = newVideoKey(randomUUID(), 'recordings')
  await storage.put(key, createReadStream(file), { mime: 'video/mp4' })
  const shown = { fileName: 'source.mp4', disposition: 'inline', mime: 'video/mp4' } as const
  const { url } = await storage.signGet(key, { ...shown, expiresInSec: 600 })
  locations = {
    'a path': { kind: 'path', path: file },
    // With the name of a host: not every ffmpeg could look it up.
    'an address': { kind: 'url', url: setting.reach(url).replace('127.0.0.1', 'localhost') },
  }
})
afterAll(async () => {
  await setting?.close()
  await rm(folder, { recursive: true, force: true })
})

const ffmpeg = await findFfmpeg(undefined)

const cut = (source: ObjectLocation, startSec: number, endSec: number) =>
  trimVideo(ffmpeg, { source, startSec, endSec, folder, deadlineMs: 120_000, signal, log })

describe('a cut', () => {
  test.each(['a path', 'an address'] as const)(
    'out of %s begins with the picture at its start and ends with the last one before its end',
    async (kind) => {
      const made = await cut(locations[kind], 10, 25)
      const shown = await frameNumbersOf(made.path)
      expect(shown).toEqual(Array.from({ length: 225 }, (_, index) => 150 + index))
      expect(Math.abs(made.measured.durationSec - 15)).toBeLessThanOrEqual(FRAME_SEC)
    },
  )

  test('keeps audio and video together', async () => {
    const made = await cut(locations['a path'], 10.5, 14.5)
    const clicks = await clicksOf(made.path)
    expect(clicks.map((sec) => Math.round(sec * 100) / 100)).toEqual([0.5, 1.5, 2.5, 3.5])
    const shown = await frameNumbersOf(made.path)
    // The picture at 11.0 is shown with the click of that second, within half a picture.
    const atSec = shown.indexOf(11 * FRAME_RATE) / FRAME_RATE
    expect(Math.abs(atSec - 0.5)).toBeLessThanOrEqual(FRAME_SEC / 2 + 0.001)
  })

  test.each([
    { startSec: 0, endSec: 1, first: 0, count: 15 },
    { startSec: 10.03, endSec: 12.03, first: 150, count: 30 },
    { startSec: 10.0667, endSec: 11.0667, first: 151, count: 15 },
    { startSec: 39, endSec: 40, first: 585, count: 15 },
  ])('from $startSec to $endSec is as long as that', async (wanted) => {
    const { startSec, endSec, first, count } = wanted
    const made = await cut(locations['a path'], startSec, endSec)
    const shown = await frameNumbersOf(made.path)
    expect([shown[0], Math.abs(shown.length - count) <= 1]).toEqual([first, true])
    const { durationSec } = made.measured
    expect(Math.abs(durationSec - (endSec - startSec))).toBeLessThanOrEqual(FRAME_SEC)
  })

  test.each([
    [0, 0.03, 0],
    [10, 10.000001, 150],
    [39.999999, 40, 599],
  ])('from %d s to %d s, less than a picture, is that picture', async (startSec, endSec, shown) => {
    const made = await cut(locations['a path'], startSec, endSec)
    expect(await frameNumbersOf(made.path)).toEqual([shown])
    expect(made.measured.durationSec).toBeCloseTo(FRAME_SEC, 3)
  })

  test.each([
    [5.5, 8, 7],
    [12, 14, 105],
  ])(
    'from %d s to %d s of a video that begins late has the pictures of that time',
    async (startSec, endSec, first) => {
      const made = await cut(
        { kind: 'path', path: path.join(folder, 'late.mp4') },
        startSec,
        endSec,
      )
      expect((await frameNumbersOf(made.path)).slice(0, 2)).toEqual([first, first + 1])
      const { durationSec } = made.measured
      expect(Math.abs(durationSec - (endSec - startSec))).toBeLessThanOrEqual(FRAME_SEC)
    },
  )

  test('out of a video of two pictures, the second of which is short, has both', async () => {
    const file = path.join(folder, 'short.mp4')
    await repeatSample(SAMPLE, file, 0.12)
    const made = await cut({ kind: 'path', path: file }, 0, 0.11)
    expect(made.measured.video?.packets).toBe(2)
  })

  test('of a range after the last sound is silent', async () => {
    const made = await cut({ kind: 'path', path: path.join(folder, 'silent-end.mp4') }, 2, 4)
    expect((await frameNumbersOf(made.path)).slice(0, 2)).toEqual([30, 31])
    expect(await clicksOf(made.path)).toEqual([])
    expect(made.measured.audio?.endSec).toBeCloseTo(2, 1)
    expect(Math.abs(made.measured.durationSec - 2)).toBeLessThanOrEqual(FRAME_SEC)
  })

  test.each([
    ['mute.mp4', { video: expect.anything(), audio: undefined }],
    ['dark.mp4', { video: undefined, audio: expect.anything() }],
  ])('of %s has what its source has', async (name, tracks) => {
    const made = await cut({ kind: 'path', path: path.join(folder, name) }, 1, 3)
    expect(made.measured).toMatchObject(tracks)
    expect(Math.abs(made.measured.durationSec - 2)).toBeLessThanOrEqual(FRAME_SEC)
  })
})
