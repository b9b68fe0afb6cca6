import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { handoutStage } from './room-page.ts'
import { waitFor } from './wait.ts'

/** A film of so many seconds, for a handout. */
export function makeFilm(lengthSec: number): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-film-'))
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

/** Where a page stands in the film that is shown. */
export function filmPlace(page: Page) {
  const film = handoutStage(page).locator('video')
  const look = async () =>
    film.evaluate((video: HTMLVideoElement) => ({
      sec: video.currentTime,
      isPaused: video.paused,
      atSec: (performance.timeOrigin + performance.now()) / 1000,
    }))
  return {
    look,
    reaches: async (sec: number) =>
      waitFor(async () => (await look()).sec >= sec, { what: `the film is at ${sec} s` }),
    rests: async () => waitFor(async () => (await look()).isPaused, { what: 'the film rests' }),
  }
}

type FilmPlace = ReturnType<typeof filmPlace>

/** Within a second of each other, whatever passed between the two looks. */
export async function expectInStep(one: FilmPlace, other: FilmPlace): Promise<void> {
  await waitFor(
    async () => {
      const [first, second] = [await one.look(), await other.look()]
      if (first.isPaused !== second.isPaused) return false
      const passedSec = first.isPaused ? 0 : second.atSec - first.atSec
      return Math.abs(second.sec - first.sec - passedSec) < 1
    },
    { what: 'both are at the same place of the film' },
  )
}
