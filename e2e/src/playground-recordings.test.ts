import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join } from './harness/browser.ts'
import {
  archiveModeSelect,
  askTranscription,
  bookButton,
  clip,
  closeRoom,
  deleteClip,
  deleteRecording,
  downloadButton,
  downloadOf,
  filePart,
  noRecordings,
  playButton,
  readyClip,
  recordingRow,
  recordingVideo,
  recordings,
  refusedTranscription,
  roleLink,
  transcriptLines,
  trim,
  trimPart,
  trimmedState,
  trimmedVideo,
} from './harness/playground-page.ts'
import { untilRecorded } from './harness/recorded.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'

const RECORDED_SEC = 7
const PHONE = { width: 390, height: 844 }
/** Stands where a recogniser of speech would: says the same of every sound. */
const SAID = [
  '[00:00:00.500 --> 00:00:02.500] First line',
  '[00:00:04.000 --> 00:00:06.000] Second line',
]
const COMMAND = JSON.stringify(['printf', '%s\\n%s\\n%.0s', ...SAID, '{audio}'])

const env = useTestEnvironment({
  ownService: {
    env: { TRANSCRIPTION_LOCAL_COMMAND: COMMAND, TRANSCRIPTION_ENGINE_B: 'none' },
  },
})
let page: Page

beforeAll(async () => {
  page = (await env.openLink(env.service.local.base_url)).page
})

const secondsOf = async (video: Locator) =>
  video.evaluate((element: HTMLVideoElement) => element.currentTime)

/** The video plays automatically from its position. */
async function expectPlaying(video: Locator): Promise<void> {
  const before = await secondsOf(video)
  const isLater = async () => (await secondsOf(video)) > before + 0.3
  await waitFor(isLater, { what: `${video.toString()} plays` })
}

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
  test('shows a recording in progress, and plays the result', async () => {
    await recordInterview('composed')
    await playButton(filePart(page)).click(SOON)
    await expectPlaying(recordingVideo(page))
  })

  test('shows the transcript beside it, follows it, and jumps to a line', async () => {
    const lines = transcriptLines(page).getByRole('button')
    await lines.last().waitFor(SOON)
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringContaining('First line'),
      expect.stringContaining('Second line'),
    ])
    await lines.last().click()
    await transcriptLines(page)
      .locator('[aria-current="true"]')
      .getByText('Second line')
      .waitFor(SOON)
    expect(await secondsOf(recordingVideo(page))).toBeGreaterThanOrEqual(4)
  })

  test('requests another transcription, and shows why it was refused', async () => {
    await askTranscription(page, 'engine_b')
    await refusedTranscription(page).getByText('the engine isn’t configured').waitFor(SOON)
  })

  test('trims it: an invalid range is refused in the form, a valid one is made and plays', async () => {
    await trim(page, { from: '1', to: '9000' })
    await page.getByText('The end must be within the recording').waitFor(SOON)
    await trim(page, { from: '1', to: '3' })
    await trimmedState(page).waitFor(SOON)
    await playButton(trimPart(page)).click()
    await expectPlaying(trimmedVideo(page))
    const lengthSec = await trimmedVideo(page).evaluate((video: HTMLVideoElement) => video.duration)
    expect(lengthSec).toBeCloseTo(2, 0)
  })

  test('cuts several clips out of it, each to be downloaded, and deletes one', async () => {
    await clip(page, { title: 'First', from: '0', to: '1.5' })
    await clip(page, { title: 'Second', from: '1', to: '2' })
    const [first, second] = [readyClip(page, 'First'), readyClip(page, 'Second')]
    await second.waitFor(SOON)
    await first.waitFor(SOON)
    const begun = page.waitForEvent('download', SOON)
    await downloadOf(second).click()
    expect((await begun).suggestedFilename()).toMatch(/^clip-.*\.mp4$/)
    await deleteClip(page, first)
    await first.waitFor({ state: 'detached', ...SOON })
    expect(await second.count()).toBe(1)
  })

  test('offers the files for download', async () => {
    for (const [part, name] of [
      [filePart(page), /^recording-.*\.mp4$/],
      [trimPart(page), /\.mp4$/],
    ] as const) {
      const begun = page.waitForEvent('download', SOON)
      await downloadButton(part).click()
      expect((await begun).suggestedFilename()).toMatch(name)
    }
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

  test.runIf(IS_FULL_RUN)(
    'offers an individual recording as an archive, with names in the transcript',
    async () => {
      await recordInterview('individual')
      const begun = page.waitForEvent('download', SOON)
      await downloadButton(filePart(page)).click()
      expect((await begun).suggestedFilename()).toMatch(/^recording-.*\.zip$/)
      await transcriptLines(page).getByText('First line').waitFor(SOON)
      expect(await transcriptLines(page).innerText()).toContain('Sato Hanako')
      expect(await recordingVideo(page).count()).toBe(0)
    },
  )
})
