import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { SCHEMES, showIn, violationsOf } from './harness/axe.ts'
import { join } from './harness/browser.ts'
import { useHouse } from './harness/house.ts'
import { untilRecorded } from './harness/recorded.ts'
import { waitFor } from './harness/wait.ts'

const SOON = { timeout: 30_000 }
const MADE = { timeout: 120_000 }
const RECORDED_SEC = 7
const PHONE = { width: 390, height: 844 }
/** Stands where a recogniser of speech would: says the same of every sound. */
const SAID = [
  '[00:00:00.500 --> 00:00:02.500] First line',
  '[00:00:04.000 --> 00:00:06.000] Second line',
]
const COMMAND = JSON.stringify(['printf', '%s\\n%s\\n%.0s', ...SAID, '{audio}'])

const house = useHouse({
  ownService: {
    env: { TRANSCRIPTION_LOCAL_COMMAND: COMMAND, TRANSCRIPTION_ENGINE_B: 'none' },
  },
})
let page: Page

beforeAll(async () => {
  page = (await house.openLink(house.service.local.base_url)).page
})

const at = (testId: string): Locator => page.getByTestId(testId)
const rowThat = (status: string) =>
  page.locator(`[data-testid="recording-row"][data-status="${status}"]`)
const secondsOf = async (testId: string) =>
  at(testId).evaluate((video: HTMLVideoElement) => video.currentTime)

/** The video goes on by itself from where it is. */
async function expectPlaying(testId: string): Promise<void> {
  const before = await secondsOf(testId)
  const isLater = async () => (await secondsOf(testId)) > before + 0.3
  await waitFor(isLater, { what: `${testId} plays` })
}

async function expectAccessible(state: string): Promise<void> {
  for (const scheme of SCHEMES) {
    await showIn(page, scheme)
    expect(await violationsOf(page, `${state}, ${scheme}`)).toEqual([])
  }
}

/** Books in the form, sends somebody in with camera and microphone, and closes the room. */
async function recordInterview(output: 'composed' | 'individual'): Promise<void> {
  const isAutomatic = output === 'composed'
  await at('book-archive-mode').selectOption(isAutomatic ? 'always' : 'manual', SOON)
  const booked = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await at('book-button').click()
  const { room } = (await (await booked).json()) as { room: { id: string } }
  const link = page.locator(`[data-testid="link-panelist"][href*="${room.id}"]`)
  const panelist = await house.openLink(String(await link.getAttribute('href', SOON)))
  await join(panelist)
  const moderator = await house.enterByHand({ roomId: room.id, role: 'moderator', name: 'Mori' })
  if (!isAutomatic) await moderator.post('/recording/start', { output_mode: output })
  await rowThat('started').waitFor(MADE)
  await untilRecorded(moderator, RECORDED_SEC)
  await at('close-room').click()
  await at('close-room-confirm').click()
  await panelist.context.close()
  await rowThat('available').waitFor(MADE)
}

describe('the playground', () => {
  test('shows a recording that comes to be, and plays it', async () => {
    await recordInterview('composed')
    await at('recording-video-play').click(SOON)
    await expectPlaying('recording-video')
  })

  test('shows what was said beside it, follows, and jumps to a line', async () => {
    const lines = at('transcript-lines').getByRole('button')
    await lines.last().waitFor(MADE)
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringContaining('First line'),
      expect.stringContaining('Second line'),
    ])
    await lines.last().click()
    await at('transcript-lines')
      .locator('[aria-current="true"]')
      .getByText('Second line')
      .waitFor(SOON)
    expect(await secondsOf('recording-video')).toBeGreaterThanOrEqual(4)
  })

  test('asks for another transcription, and says why there is none', async () => {
    await at('transcription-ask').click()
    await at('transcription-engine').selectOption('engine_b')
    await at('transcription-submit').click()
    const refused = page.locator('[data-testid="transcription-row"][data-status="request_error"]')
    await refused.getByText('the engine is not set up').waitFor(MADE)
  })

  test('trims it: a wrong range is answered in the form, a right one is made and plays', async () => {
    await at('trim-start').fill('1')
    await at('trim-end').fill('9000')
    await at('trim-submit').click()
    await page.getByText('The end must be within the recording').waitFor(SOON)
    await at('trim-end').fill('3')
    await at('trim-submit').click()
    await page.locator('[data-testid="trimmed"][data-status="available"]').waitFor(MADE)
    await at('trimmed-video-play').click()
    await expectPlaying('trimmed-video')
    const lengthSec = await at('trimmed-video').evaluate(
      (video: HTMLVideoElement) => video.duration,
    )
    expect(lengthSec).toBeCloseTo(2, 0)
  })

  test('gives the files to keep', async () => {
    for (const [button, name] of [
      ['recording-download', /^recording-.*\.mp4$/],
      ['trimmed-download', /\.mp4$/],
    ] as const) {
      const begun = page.waitForEvent('download', SOON)
      await at(button).click()
      expect((await begun).suggestedFilename()).toMatch(name)
    }
  })

  test('is accessible, also on a phone, which it is not wider than', async () => {
    await expectAccessible('a recording')
    const size = page.viewportSize()
    await page.setViewportSize(PHONE)
    await expectAccessible('a recording on a phone')
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(PHONE.width)
    if (size !== null) await page.setViewportSize(size)
  })

  test('deletes it after asking once', async () => {
    await at('recording-delete').click()
    await at('recording-delete-confirm').click()
    await at('recording-row').waitFor({ state: 'detached', ...SOON })
  })

  test('gives a recording person by person as an archive, with the names beside what was said', async () => {
    await recordInterview('individual')
    const begun = page.waitForEvent('download', SOON)
    await at('recording-download').click()
    expect((await begun).suggestedFilename()).toMatch(/^recording-.*\.zip$/)
    await at('transcript-lines').getByText('First line').waitFor(MADE)
    expect(await at('transcript-lines').innerText()).toContain('Sato Hanako')
    expect(await at('recording-video').count()).toBe(0)
  })
})
