import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from './harness/browser.ts'
import { tabTo } from './harness/keyboard.ts'
import { isWholeInView } from './harness/misfits.ts'
import { makeTenant } from './harness/new-tenant.ts'
import {
  clipForm,
  clipOf,
  commentField,
  commentWith,
  lineWith,
  linkToReview,
  makeClip,
  reelForm,
  reelOf,
  reelsOf,
  searchField,
  secondsOf,
  tabOf,
} from './harness/review-page.ts'
import { lastLink, shareButton, shareDialog, shareForm } from './harness/share-page.ts'
import { actAsTenant } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { reviewText, shareText } from './harness/words.ts'

/**
 * The five tasks of a researcher in the sample interview: find a sentence, comment on it, clip it, make a reel, share it. First by
 * presses on what is in sight without scrolling, then by keys alone. `docs/review-room.md` has the presses in a table.
 */
const LINE = '緑が濃いと、味も濃そうに見えるんです。'
const LINE_SEC = 26
const MAY = ['watch', 'comment', 'clip', 'share'] as const
const REEL_CLIPS = ['色で選ぶ', 'はがしやすいラベル']

const env = useTestEnvironment()
let person: Person
let link: string

beforeAll(async () => {
  const local = await makeTenant(env.service, 'Researcher', '--sandbox')
  const { api } = actAsTenant(local)
  const { room_id: roomId } = await api.triggerWebhook({ body: { type: 'sample_interview' } })
  const { items } = await api.listRecordings({ params: { room_id: roomId ?? '' } })
  const scope = { recordingId: items[0]?.id ?? '' }
  link = await linkToReview({ service: { local } }, scope, { may: MAY })
})

async function open(): Promise<void> {
  person = await env.openLink(link, { staysOpen: true })
  await lineWith(person.page, LINE).waitFor(SOON)
}
const close = async () => person.context.close()

const inForm = (form: Locator, name: RegExp) => form.getByRole('button', { name })
const startReel = (page: Page) =>
  reelsOf(page).getByRole('button', { name: reviewText((t) => t.reels.start) })
const makeReel = (page: Page) =>
  inForm(
    reelForm(page),
    reviewText((t) => t.reels.make),
  )
const makeLink = (page: Page) =>
  inForm(
    shareForm(page),
    shareText((t) => t.make),
  )
const submitClip = (page: Page) =>
  inForm(
    clipForm(page),
    reviewText((t) => t.clips.make),
  )

async function expectFound({ page }: Person): Promise<void> {
  const isThere = async () => Math.abs((await secondsOf(page)) - LINE_SEC) < 1
  await waitFor(isThere, { what: 'the video stands at the sentence' })
}

interface Step {
  press: (page: Page) => Locator
  /** Typed after the press. */
  type?: string
}

const TASKS: readonly { name: string; steps: readonly Step[]; result: () => Promise<void> }[] = [
  {
    name: 'finds a sentence',
    steps: [{ press: searchField, type: '味も濃そう\n' }],
    result: async () => expectFound(person),
  },
  {
    name: 'comments on it',
    steps: [
      { press: (page) => tabOf(page, 'comments') },
      { press: commentField, type: 'Colour stands for taste\n' },
    ],
    result: async () => commentWith(person.page, 'Colour stands for taste').waitFor(SOON),
  },
  {
    name: 'makes a clip of it',
    steps: [
      { press: (page) => tabOf(page, 'transcript') },
      { press: (page) => lineWith(page, LINE) },
      { press: makeClip },
      { press: submitClip },
    ],
    result: async () => clipOf(person.page, '0:26').waitFor(SOON),
  },
  {
    name: 'makes a reel',
    steps: [
      { press: startReel },
      ...REEL_CLIPS.map((name) => ({ press: (page: Page) => reelForm(page).getByText(name) })),
      { press: makeReel },
    ],
    result: async () => reelOf(person.page, '2').waitFor(SOON),
  },
  {
    name: 'shares the recording',
    steps: [{ press: shareButton }, { press: makeLink }],
    result: async () => lastLink(person.page).waitFor(SOON),
  },
]

describe('a researcher with a pointer', () => {
  beforeAll(open)
  afterAll(close)

  test.each(TASKS)('$name', async ({ steps, result }) => {
    const { page } = person
    for (const { press, type } of steps) {
      const target = press(page).first()
      await expect.poll(async () => isWholeInView(target), SOON).toBe(true)
      await target.click()
      for (const key of type ?? '') await page.keyboard.press(key === '\n' ? 'Enter' : key)
    }
    await result()
  })
})

describe('a researcher with a keyboard', () => {
  beforeAll(open)
  afterAll(close)

  test('finds a sentence, and comments on it', async () => {
    const { page } = person
    await page.keyboard.press('/')
    await page.keyboard.type('味も濃そう')
    await page.keyboard.press('Enter')
    await expectFound(person)
    await tabTo(tabOf(page, 'transcript'))
    await page.keyboard.press('c')
    await page.keyboard.type('By keys')
    await page.keyboard.press('Enter')
    await commentWith(page, 'By keys').waitFor(SOON)
  })

  test('makes a clip between two keys', async () => {
    const { page } = person
    await page.keyboard.press('Tab')
    await page.keyboard.press('i')
    await page.keyboard.press('l')
    await page.keyboard.press('o')
    await tabTo(clipForm(page).getByRole('textbox', { name: reviewText((t) => t.clips.title) }))
    await page.keyboard.type('Cut by keys')
    await page.keyboard.press('Enter')
    await clipOf(page, 'Cut by keys').waitFor(SOON)
  })

  test('makes a reel, and shares it', async () => {
    const { page } = person
    await tabTo(startReel(page))
    await page.keyboard.press('Enter')
    for (const name of REEL_CLIPS) {
      await tabTo(reelForm(page).getByLabel(name))
      await page.keyboard.press('Space')
    }
    await tabTo(makeReel(page))
    await page.keyboard.press('Enter')
    await reelOf(page, '2').first().waitFor(SOON)
    await tabTo(shareButton(page))
    await page.keyboard.press('Enter')
    await shareDialog(page).waitFor(SOON)
    await tabTo(makeLink(page))
    await page.keyboard.press('Enter')
    await lastLink(page).waitFor(SOON)
  })
})
