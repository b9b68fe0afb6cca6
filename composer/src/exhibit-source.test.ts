import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExhibitSource } from './exhibit-source.ts'
import type { PlaybackStep } from './exhibits.ts'
import { findFfmpeg } from './find-ffmpeg.ts'

const run = promisify(execFile)
const program = findFfmpeg(process.env) ?? 'ffmpeg'
const FRAME_RATE = 10
const SIZE = { width: 16, height: 16 }
/** Each picture of the video is brighter by so much than the one before. */
const BRIGHTER = 60
const DARKEST = 40

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'exhibit-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Three pictures of five seconds each, as of a screen on which little happens; the sound is longer. */
async function slides(): Promise<string> {
  const file = path.join(folder, 'slides.mp4')
  const picture = `color=black:s=16x16:r=1/5:d=15,geq=lum=${DARKEST}+N*${BRIGHTER}:cb=128:cr=128`
  const sources = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=440:d=20']
  await run(program, ['-v', 'error', ...sources, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file])
  return file
}

/** Which of the pictures is shown at each of the frames, from 0; undefined for none. */
async function shownAt(
  file: string,
  step: Omit<PlaybackStep, 'frame'>,
  frames: readonly number[],
): Promise<(number | undefined)[]> {
  const exhibit = {
    id: '0/0',
    kind: 'video' as const,
    file,
    media: { ...SIZE, hasSound: false },
    fromMs: 0,
    toMs: 60_000,
    fromFrame: 0,
    toFrame: 600,
    steps: [{ ...step, frame: 0 }],
  }
  const source = new ExhibitSource({ program, exhibit, box: SIZE, frameRate: FRAME_RATE })
  const shown: (number | undefined)[] = []
  for (const frame of frames) {
    const brightness = (await source.at(frame))?.data[0]
    shown.push(brightness === undefined ? undefined : Math.round((brightness - DARKEST) / BRIGHTER))
  }
  source.close()
  return shown
}

describe('a video of few pictures', () => {
  test('shows the one of the position, and not the one that follows', async () => {
    const file = await slides()
    const at = (positionSec: number) => shownAt(file, { positionSec, isPlaying: false }, [0])
    expect(await at(0)).toEqual([0])
    expect(await at(2)).toEqual([0])
    expect(await at(7)).toEqual([1])
    expect(await at(12)).toEqual([2])
    // The sound continues, and the last picture stays.
    expect(await at(18)).toEqual([2])
    expect(await at(30)).toEqual([2])

    const played = await shownAt(file, { positionSec: 7, isPlaying: true }, [0, 20, 29, 31, 79, 99])
    expect(played).toEqual([1, 1, 1, 2, 2, 2])
    expect(await shownAt(file, { positionSec: 18, isPlaying: true }, [0, 5])).toEqual([2, 2])
  })
})
