import type { ReviewBody } from '@interview-room/contract/review.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsInBothSchemes } from './harness/axe.ts'
import {
  headingOf,
  linkToReview,
  playButton,
  recordForReview,
  secondsOf,
  video,
} from './harness/review-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { reviewText } from './harness/words.ts'

type Reviewed = ReviewBody['recordings'][number]
/** Stands for a second recording of the room. It answers as the first one does. */
const SECOND = '01990000-0000-7000-8000-000000000002'

const env = useTestEnvironment()
let roomId: string
let recordingId: string

beforeAll(async () => {
  ;({ roomId, recordingId } = await recordForReview(env, 6))
})

/** Opens the room for review. The page gets these recordings in place of its own one. */
async function openWith(
  recordings: (own: Reviewed) => readonly Reviewed[],
  place = '',
): Promise<Page> {
  const may = ['watch', 'download'] as const
  const { page } = await env.openLink(await linkToReview(env, { roomId }, { may, place }), {
    prepare: async (context) => {
      await context.route('**/api/v1/review', async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { data: ReviewBody }
        const [own] = body.data.recordings
        if (own === undefined) throw new Error('the room has no recording')
        const data = { ...body.data, recordings: recordings(own) }
        await route.fulfill({ response, json: { ...body, data } })
      })
      await context.route(`**/recordings/${SECOND}/**`, (route) =>
        route.continue({ url: route.request().url().replace(SECOND, recordingId) }),
      )
    },
  })
  return page
}

const position = async (page: Page) => secondsOf(page).catch(() => 0)

describe('a recording that cannot be watched', () => {
  const STATES = [
    'started',
    'paused',
    'stopped',
    'uploaded',
    'expired',
    'failed',
    'individual',
  ] as const
  test.each(STATES)('says why: %s', async (state) => {
    const page = await openWith((own) => [
      state === 'individual' ? { ...own, output_mode: state } : { ...own, status: state },
    ])
    await headingOf(page, state).waitFor(SOON)
    expect(await video(page).count()).toBe(0)
    const download = page.getByRole('button', { name: reviewText((t) => t.downloadZip) })
    expect(await download.count()).toBe(state === 'individual' ? 1 : 0)
    expect(await violationsInBothSchemes(page, state)).toEqual([])
  })

  test('says that there is none yet', async () => {
    const page = await openWith(() => [])
    await headingOf(page, 'empty').waitFor(SOON)
    expect(await violationsInBothSchemes(page, 'empty')).toEqual([])
  })

  test('says that the service cannot be reached, and opens when it can be', async () => {
    const link = await linkToReview(env, { recordingId }, { may: ['watch'] })
    const { page, context } = await env.openLink(link, {
      prepare: (context) => context.route('**/api/v1/review', (route) => route.abort()),
    })
    await headingOf(page, 'offline').waitFor(SOON)
    expect(await violationsInBothSchemes(page, 'offline')).toEqual([])
    await context.unroute('**/api/v1/review')
    await playButton(page).waitFor(SOON)
  })
})

describe('several recordings of a room', () => {
  test('are one story: the next one plays when one ends', async () => {
    const page = await openWith((own) => [own, { ...own, id: SECOND }], '&part=1&t=10')
    const parts = page.getByRole('navigation', { name: reviewText((t) => t.parts) })
    const [first, second] = [0, 1].map((part) => parts.getByRole('button').nth(part))
    expect(await first?.getAttribute('aria-current')).toBe('true')
    await waitFor(async () => (await position(page)) >= 10, { what: 'the place is taken' })
    await playButton(page).click(SOON)
    const isNext = async () => (await second?.getAttribute('aria-current')) === 'true'
    await waitFor(isNext, { what: 'the second recording is shown', timeoutMs: 60_000 })
    await waitFor(async () => (await position(page)) > 0.3, { what: 'it plays' })
  })

  test('are chosen by the address, and one that cannot be watched is passed over', async () => {
    const page = await openWith(
      (own) => [{ ...own, id: SECOND, status: 'failed' }, own, { ...own, id: SECOND }],
      '&part=3&t=4',
    )
    const parts = page.getByRole('navigation', { name: reviewText((t) => t.parts) })
    await waitFor(async () => Math.abs((await position(page)) - 4) < 0.3, {
      what: 'the place in the third recording is taken',
    })
    expect(await parts.getByRole('button').nth(2).getAttribute('aria-current')).toBe('true')
    expect(await parts.getByRole('button').first().isDisabled()).toBe(true)
  })
})

describe('watching', () => {
  test('skips the time in which nobody speaks', async () => {
    const link = await linkToReview(env, { recordingId }, { may: ['watch'], place: '&t=0' })
    const { page } = await env.openLink(link, {
      prepare: (context) =>
        context.route('**/activity', async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as { data: { people: object[] } }
          const speech = [
            { start_sec: 0, end_sec: 1 },
            { start_sec: 8, end_sec: 11 },
          ]
          const people = body.data.people.map((person) => ({ ...person, speech }))
          await route.fulfill({ response, json: { ...body, data: { ...body.data, people } } })
        }),
    })
    await page.getByRole('button', { name: reviewText((t) => t.watching.skipSilence) }).click(SOON)
    await video(page).evaluate((element: HTMLVideoElement) => {
      const seen: number[] = Object.assign(globalThis, { seen: [] }).seen
      element.addEventListener('timeupdate', () => seen.push(element.currentTime))
    })
    await playButton(page).click(SOON)
    await waitFor(async () => (await position(page)) > 8, { what: 'the silence is over' })
    const seen = await page.evaluate<number[]>('seen')
    expect(seen.filter((sec) => sec > 3 && sec < 7)).toEqual([])
  })

  test('fills the screen and leaves it', async () => {
    const link = await linkToReview(env, { recordingId }, { may: ['watch'] })
    const { page } = await env.openLink(link)
    await playButton(page).waitFor(SOON)
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
    await page.keyboard.press('f')
    await waitFor(isFull, { what: 'the video fills the screen' })
    await page.keyboard.press('f')
    await waitFor(async () => !(await isFull()), { what: 'the page is back' })
  })
})

describe('text of twice the size', () => {
  test.each([1280, 640, 360])('fits into %d pixels, and nothing moves sideways', async (width) => {
    const may = ['watch', 'comment', 'clip', 'download', 'share'] as const
    const { page } = await env.openLink(await linkToReview(env, { recordingId }, { may }))
    await page.setViewportSize({ width, height: 800 })
    await playButton(page).waitFor(SOON)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click(SOON)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, (await tab.textContent()) ?? '').toBe(0)
    }
    expect(await playButton(page).isVisible()).toBe(true)
  })
})
