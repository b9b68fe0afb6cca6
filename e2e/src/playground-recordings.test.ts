import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join } from './harness/browser.ts'
import {
  archiveModeSelect,
  bookButton,
  closeRoom,
  deleteRecording,
  downloadZipButton,
  noRecordings,
  recordingRow,
  recordings,
  roleLink,
  watchButton,
} from './harness/playground-page.ts'
import { untilRecorded } from './harness/recorded.ts'
import { playButton, secondsOf } from './harness/review-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'

const RECORDED_SEC = 7
const PHONE = { width: 390, height: 844 }

const env = useTestEnvironment({ ownService: { env: {} } })
let page: Page

beforeAll(async () => {
  page = (await env.openLink(env.service.local.base_url)).page
})

/** Books in the form, sends somebody in with camera and microphone, and closes the room. */
async function recordInterview(output: 'composed' | 'individual'): Promise<void> {
  const isAutomatic = output === 'composed'
  await archiveModeSelect(page).selectOption(isAutomatic ? 'always' : 'manual', SOON)
  const booked = page.waitForResponse((answer) => {
    return answer.request().method() === 'POST' && answer.url().endsWith('/api/v1/rooms')
  })
  await bookButton(page).click()
  const { data: room } = (await (await booked).json()) as { data: { id: string } }
  const link = await waitFor(
    async () => {
      const address = await roleLink(page, 'panelist').getAttribute('href')
      return address?.includes(room.id) === true && address
    },
    { what: 'the link of the booked room' },
  )
  const panelist = await env.openLink(link)
  await join(panelist)
  const moderator = await env.enterByHand({ roomId: room.id, role: 'moderator', name: 'Mori' })
  const start = async () =>
    moderator.post('/recording/start', { output_mode: output }).then(
      () => true,
      (error: Error) => {
        if (!error.message.includes('ROOM_EMPTY')) throw error
      },
    )
  // The page is connected a moment before the media server has its first track.
  if (!isAutomatic) await waitFor(start, { what: 'somebody publishes, and the recording begins' })
  await recordingRow(page, 'started').waitFor(SOON)
  await untilRecorded(moderator, RECORDED_SEC)
  await closeRoom(page)
  await panelist.context.close()
  await recordingRow(page, 'available').waitFor(SOON)
}

describe('the playground', () => {
  test('shows a recording in progress, and opens the result for review', async () => {
    await recordInterview('composed')
    const opened = page.waitForEvent('popup', SOON)
    await watchButton(page).click(SOON)
    const review = await opened
    await playButton(review).click(SOON)
    const isPlaying = async () => (await secondsOf(review)) > 0.3
    await waitFor(isPlaying, { what: 'the recording plays' })
    await review.close()
  })

  test('is accessible, and fits on a phone', async () => {
    await expectAccessible(page, 'a recording')
    const size = page.viewportSize()
    await page.setViewportSize(PHONE)
    await expectAccessible(page, 'a recording on a phone')
    if (size !== null) await page.setViewportSize(size)
  })

  test('deletes it after asking once', async () => {
    await deleteRecording(page)
    await noRecordings(page).waitFor(SOON)
    expect(await recordings(page).getByRole('listitem').count()).toBe(0)
  })

  test('brings a room that is booked on a phone into view', async () => {
    const size = page.viewportSize()
    await page.setViewportSize(PHONE)
    await bookButton(page).click()
    const link = roleLink(page, 'moderator')
    const isInView = async () => ((await link.boundingBox())?.y ?? Infinity) < PHONE.height
    await waitFor(isInView, { what: 'the links of the booked room are in view' })
    if (size !== null) await page.setViewportSize(size)
  })

  test.runIf(IS_FULL_RUN)('offers an individual recording as an archive', async () => {
    await recordInterview('individual')
    const begun = page.waitForEvent('download', SOON)
    await downloadZipButton(page).click()
    expect((await begun).suggestedFilename()).toMatch(/^recording-.*\.zip$/)
    expect(await watchButton(page).count()).toBe(0)
  })
})
