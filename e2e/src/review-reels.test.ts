import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import {
  clipForm,
  clipOf,
  downloadButton,
  lineWith,
  linkToReview,
  makeClip,
  recordForReview,
  reelForm,
  reelOf,
  reelsOf,
  tabOf,
  untilTranscribed,
  video,
} from './harness/review-page.ts'
import { lastLink, shareButton, shareDialog, sharedClip, shareForm } from './harness/share-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { openVideo } from './harness/video.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { containing, reviewText, shareText } from './harness/words.ts'

const PART_SEC = 6
const CARD_SEC = 3
/** Every machine has a font for a part of it. */
const CARD = 'First impression 最初の印象'
const LINES = ['最初の印象はよかったです。', '香りが少し強いと思います。', 'もう一度使いたいです。']
/** Stands where a recogniser of speech would: says the same of every sound. */
const SAID = [
  `[00:00:00.500 --> 00:00:02.000] ${LINES[0]}`,
  `[00:00:03.700 --> 00:00:05.200] ${LINES[1]}`,
  `[00:00:07.000 --> 00:00:08.500] ${LINES[2]}`,
]
const COMMAND = JSON.stringify(['printf', `${'%s\\n'.repeat(SAID.length)}%.0s`, ...SAID, '{audio}'])
const MAY = ['watch', 'clip', 'download', 'share'] as const
/** Letters are white. */
const BRIGHT = 200

const env = useTestEnvironment({ ownService: { env: { TRANSCRIPTION_LOCAL_COMMAND: COMMAND } } })
let recordingId: string
let person: Person

beforeAll(async () => {
  ;({ recordingId } = await recordForReview(env, PART_SEC))
  await untilTranscribed(env, recordingId)
  person = await env.openLink(await linkToReview(env, { recordingId }, { may: MAY }), {
    staysOpen: true,
  })
})

const pressIn = async (form: ReturnType<typeof reelForm>, label: RegExp) =>
  form.getByRole('button', { name: label }).click(SOON)

/** Makes a clip of a line, by its words. */
async function clipLine({ page }: Person, words: string, title: string): Promise<void> {
  await tabOf(page, 'transcript').click(SOON)
  await lineWith(page, words).click(SOON)
  await makeClip(page).click(SOON)
  const name = reviewText((t) => t.clips.title)
  await clipForm(page).getByRole('textbox', { name }).fill(title)
  await pressIn(
    clipForm(page),
    reviewText((t) => t.clips.make),
  )
  await clipOf(page, title).waitFor(SOON)
}

async function untilReady(page: Person['page'], reel: string): Promise<void> {
  await reelOf(page, reel)
    .getByText(reviewText((t) => t.clips.status.available))
    .waitFor(SOON)
}

/** Opens the file that a press downloads. */
async function downloaded({ page }: Person, reel: string) {
  const begun = page.waitForEvent('download', SOON)
  const name = containing(reviewText((t) => t.download))
  await reelOf(page, reel).getByRole('button', { name }).click(SOON)
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/^reel-.*\.mp4$/)
  return openVideo(await readFile(await download.path()))
}

/** The number of bright pixels between two heights, as shares of the picture's. */
async function brightIn(
  film: Awaited<ReturnType<typeof openVideo>>,
  atSec: number,
  [from, to]: readonly [number, number],
): Promise<number> {
  const pixels = await film.frameAt(atSec)
  const row = (share: number) => Math.round(share * film.heightPx) * film.widthPx
  return pixels.subarray(row(from), row(to)).filter((light) => light > BRIGHT).length
}

describe('three lines', () => {
  test('become three clips, and one reel with a card and their words in the picture', async () => {
    const { page } = person
    for (const [index, words] of LINES.entries()) await clipLine(person, words, `Clip ${index + 1}`)
    await reelsOf(page)
      .getByRole('button', { name: reviewText((t) => t.reels.start) })
      .click(SOON)
    const form = reelForm(page)
    for (const index of [1, 2, 3])
      await form.getByLabel(`Clip ${index}`, { exact: true }).check(SOON)
    const earlier = form.getByRole('button', { name: reviewText((t) => t.reels.earlier('Clip 3')) })
    await earlier.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await form.getByRole('listitem').allInnerTexts()).toEqual(['Clip 3', 'Clip 1', 'Clip 2'])
    await form.getByRole('textbox', { name: reviewText((t) => t.clips.title) }).fill('三つの声')
    await form.getByRole('textbox', { name: reviewText((t) => t.reels.card) }).fill(CARD)
    await form
      .getByRole('button', { name: containing(reviewText((t) => t.watching.captions)) })
      .click(SOON)
    await page.getByRole('option', { name: reviewText((t) => t.reels.captions.burnt) }).click(SOON)
    await expectAccessible(page, 'review: reel form')
    await pressIn(
      form,
      reviewText((t) => t.reels.make),
    )
    await untilReady(page, '三つの声')
    await expectAccessible(page, 'review: reels')
    const film = await downloaded(person, '三つの声')
    expect(film.codecs).toEqual(['avc', 'aac'])
    expect(Math.abs(film.durationSec - (CARD_SEC + 4.5))).toBeLessThan(0.3)
    const [middle, low] = [
      [0.4, 0.6],
      [0.85, 1],
    ] as const
    expect(await brightIn(film, 1, middle)).toBeGreaterThan(100)
    expect(await brightIn(film, 1, low)).toBe(0)
    for (const sec of [3.7, 5.2, 6.7]) {
      expect(await brightIn(film, sec, low), `captions at ${sec} s`).toBeGreaterThan(100)
    }
    film.dispose()
  })

  test('are played and shared as a reel', async () => {
    const { page } = person
    const reel = reelOf(page, '三つの声')
    await reel
      .getByRole('button', { name: containing(reviewText((t) => t.clips.play)) })
      .click(SOON)
    const dialog = page.getByRole('dialog', { name: '三つの声' })
    await waitFor(
      async () => sharedClip(page).evaluate((element: HTMLVideoElement) => element.readyState >= 2),
      { what: 'the reel has a picture' },
    )
    await expectAccessible(page, 'review: reel plays')
    await dialog.getByRole('button', { name: reviewText((t) => t.keys.close) }).click(SOON)
    await reel.getByRole('button', { name: containing(shareText((t) => t.open)) }).click(SOON)
    await pressIn(
      shareForm(page),
      shareText((t) => t.make),
    )
    await shareDialog(page).getByRole('listitem').first().waitFor(SOON)
    const receiver = await env.openLink(await lastLink(page).inputValue(SOON))
    await receiver.page.getByRole('heading', { name: '三つの声' }).waitFor(SOON)
    await sharedClip(receiver.page).waitFor(SOON)
    expect(await receiver.page.getByRole('tab').count()).toBe(0)
    await expectAccessible(receiver.page, 'shared: reel')
  })
})

describe('a viewer with a watermark', () => {
  test('sees their name over the video, also in what they share, and downloads nothing without it', async () => {
    const marked = { may: ['watch', 'clip', 'share'], watermark: true, name: '佐藤 花子' } as const
    const { page } = await env.openLink(await linkToReview(env, { recordingId }, marked))
    await video(page).waitFor(SOON)
    const mark = page.locator('[data-stage]').getByText('佐藤 花子')
    await mark.waitFor(SOON)
    expect(await downloadButton(page).count()).toBe(0)
    await expectAccessible(page, 'review: watermark')
    await shareButton(page).click(SOON)
    await pressIn(
      shareForm(page),
      shareText((t) => t.make),
    )
    // The list has the links of others, too: the newest is first.
    const isMade = async () => shareDialog(page).getByText('佐藤 花子', { exact: false }).count()
    await waitFor(async () => (await isMade()) > 0, { what: 'the link is made' })
    const receiver = await env.openLink(await lastLink(page).inputValue(SOON))
    await receiver.page.locator('[data-stage]').getByText('佐藤 花子').waitFor(SOON)
  })
})
