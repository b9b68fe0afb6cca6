import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { handoutStage } from './room-page.ts'
import { waitFor } from './wait.ts'

/** A video of this length, for a handout. */
export function makeVideo(lengthSec: number): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-video-'))
  const file = path.join(folder, 'film.mp4')
  try {
    const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10']
    const made = ['-t', String(lengthSec), '-pix_fmt', 'yuv420p', '-movflags', 'faststart', file]
    execFileSync('ffmpeg', ['-v', 'error', ...picture, ...made])
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The position of a page in the video that is shown. */
export function videoPosition(page: Page) {
  const video = handoutStage(page).locator('video')
  const look = async () =>
    video.evaluate((video: HTMLVideoElement) => ({
      sec: video.currentTime,
      isPaused: video.paused,
      atSec: (performance.timeOrigin + performance.now()) / 1000,
    }))
  return {
    look,
    reaches: async (sec: number) =>
      waitFor(async () => (await look()).sec >= sec, { what: `the video is at ${sec} s` }),
    rests: async () =>
      waitFor(async () => (await look()).isPaused, { what: 'the video is paused' }),
  }
}

type VideoPosition = ReturnType<typeof videoPosition>

/** Within a second of each other, whatever passed between the two looks. */
export async function expectInStep(one: VideoPosition, other: VideoPosition): Promise<void> {
  await waitFor(
    async () => {
      const [first, second] = [await one.look(), await other.look()]
      if (first.isPaused !== second.isPaused) return false
      const passedSec = first.isPaused ? 0 : second.atSec - first.atSec
      return Math.abs(second.sec - first.sec - passedSec) < 1
    },
    { what: 'both are at the same position of the video' },
  )
}
