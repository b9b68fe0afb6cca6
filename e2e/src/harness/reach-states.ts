import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { mapEvents } from './limited-browsers.ts'
import { NAMES } from './page-recorder.ts'
import { chooseMore, handoutStage, rosterRow, tile } from './room-page.ts'
import { SOON, waitFor } from './wait.ts'
import { roomText, toolsText } from './words.ts'

// Steps that bring a page into a state to check.

/** The answer to a request to enter hours later: a slot in the past cannot be booked. */
export const OVER = {
  status: 422,
  json: { success: false, error: { code: 'OUTSIDE_TIME_WINDOW', message: '', details: [] } },
}
/** A slot of an hour whose window ends in so many minutes. */
export const windowEndsIn = (minutes: number) =>
  mapEvents(`(data) => {
    if (!data.slot) return data
    const at = (later) => new Date(Date.now() + later * 60_000).toISOString()
    const closes = ${minutes}
    const slot = { starts_at: at(closes - 90), ends_at: at(closes - 30), closes_at: at(closes) }
    return { ...data, slot }
  }`)

export const NO_ROOMS = mapEvents('(data) => ({ ...data, ...(data.rooms && { rooms: [] }) })')
export const recordingIs = (status: string, isWritten = false) =>
  mapEvents(`(data) => ({
    ...data,
    ...('recording' in data && {
      recording: {
        id: '018f0000-0000-7000-8000-000000000000', status: '${status}',
        started_at: new Date().toISOString(), recorded_sec: 65,
        running_since: ${isWritten ? 'new Date().toISOString()' : 'null'},
        is_end_wanted: false,
      },
    }),
  })`)

export async function toggleSaving(page: Page): Promise<void> {
  await chooseMore(
    page,
    toolsText(({ more }) => [more.stopVideos, more.showVideos]),
  )
}

/** Reported as the browser does it. Another camera takes its place. */
export async function unplugCamera(page: Page): Promise<void> {
  const own = tile(page, NAMES.panelist).locator('video')
  await own.evaluate((video: HTMLVideoElement) => {
    for (const track of (video.srcObject as MediaStream).getVideoTracks()) {
      track.stop()
      track.dispatchEvent(new Event('ended'))
    }
  })
}

export async function expectVideo(page: Page): Promise<void> {
  const video = handoutStage(page).locator('video')
  await video.waitFor(SOON)
  const isShown = async () => video.evaluate((video: HTMLVideoElement) => video.readyState >= 2)
  await waitFor(isShown, { what: 'the video is shown' })
}

/** Waits for a good connection at the device check. */
export async function expectGoodConnection(page: Page): Promise<void> {
  const connection = page.getByRole('status', {
    name: toolsText(({ connectionCheck }) => connectionCheck.label),
  })
  await connection
    .filter({ hasText: toolsText(({ connectionCheck }) => connectionCheck.good) })
    .waitFor(SOON)
}

export async function expectTile(page: Page, role: Role): Promise<void> {
  await tile(page, NAMES[role]).locator('video').waitFor(SOON)
}

/** Waits until the roster shows a good connection for this role, which takes a while on a busy machine. */
export async function expectConnection(page: Page, role: Role): Promise<void> {
  const fine = roomText(({ call: { quality } }) => [quality.good, quality.fair])
  await rosterRow(page, NAMES[role]).getByText(fine).waitFor({ timeout: 120_000 })
}
