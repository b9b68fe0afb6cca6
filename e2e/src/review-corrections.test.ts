import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import {
  lineWith,
  linkToReview,
  recordForReview,
  searchField,
  untilTranscribed,
} from './harness/review-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { containing, reviewText } from './harness/words.ts'

const PART_SEC = 6
/** Stands where a recogniser of speech would: says the same of every sound. */
const SAID = [
  '[00:00:00.500 --> 00:00:01.750] The first sentence',
  '[00:00:03.500 --> 00:00:05.250] The second sentence',
  '[00:00:07.000 --> 00:00:08.500] And the last one',
]
const COMMAND = JSON.stringify(['printf', `${'%s\\n'.repeat(SAID.length)}%.0s`, ...SAID, '{audio}'])

const env = useTestEnvironment({ ownService: { env: { TRANSCRIPTION_LOCAL_COMMAND: COMMAND } } })
let recordingId: string
let transcriptionId: string
let person: Person

beforeAll(async () => {
  ;({ recordingId } = await recordForReview(env, PART_SEC))
  await untilTranscribed(env, recordingId)
  const params = { recording_id: recordingId }
  transcriptionId = (await env.tenant.api.listTranscriptions({ params })).items[0]?.id ?? ''
  const may = ['watch', 'correct'] as const
  person = await env.openLink(await linkToReview(env, { recordingId }, { may }), {
    staysOpen: true,
  })
})

const form = (page: Page): Locator =>
  page.getByRole('form', { name: reviewText((t) => t.transcript.correction) })
const said = (page: Page): Locator =>
  form(page).getByRole('textbox', { name: reviewText((t) => t.transcript.said) })

/** Opens the form by keys. */
async function edit({ page }: Person, words: string): Promise<void> {
  await lineWith(page, words).click(SOON)
  await page.keyboard.press('F2')
  await said(page).waitFor(SOON)
}

async function resultOf(): Promise<string> {
  const { result_url: url } = await env.tenant.api.getTranscription({
    params: { transcription_id: transcriptionId },
  })
  return (await fetch(url ?? '')).text()
}

async function choose(page: Page, option: string | RegExp): Promise<void> {
  const name = containing(reviewText((t) => t.transcript.person))
  await form(page).getByRole('button', { name }).click(SOON)
  await page.getByRole('option', { name: option }).click(SOON)
}

describe('somebody who may correct a transcript', () => {
  test('corrects a line by keys alone, and Escape leaves it as it was', async () => {
    const { page } = person
    await lineWith(page, 'The first sentence').waitFor(SOON)
    await edit(person, 'The first sentence')
    await said(page).fill('Thrown away')
    await page.keyboard.press('Escape')
    await form(page).waitFor({ ...SOON, state: 'hidden' })
    await page.keyboard.press('F2')
    await expectAccessible(page, 'review: correction')
    await said(page).fill('The first phrase')
    await page.keyboard.press('Enter')
    await lineWith(page, 'The first phrase').waitFor(SOON)
    // The focus is in the lines again.
    await form(page).waitFor({ ...SOON, state: 'hidden' })
    await page.keyboard.press('F2')
    await said(page).waitFor(SOON)
    await page.keyboard.press('Escape')
    expect(await resultOf()).toContain('The first phrase')
  })

  test('replaces words in all lines, and sees first in how many places', async () => {
    const { page } = person
    await searchField(page).fill('SENTENCE')
    await page
      .getByRole('textbox', { name: reviewText((t) => t.transcript.replaceWith) })
      .fill('remark')
    await page
      .getByRole('button', { name: reviewText((t) => t.transcript.replaceAll(1)) })
      .click(SOON)
    await lineWith(page, 'The second remark').waitFor(SOON)
    expect(await resultOf()).toContain('The second remark')
    await searchField(page).fill('')
  })

  test('gives a voice another name, in all its lines, and a line back to its person', async () => {
    const { page } = person
    await edit(person, 'And the last one')
    await choose(
      page,
      reviewText((t) => t.transcript.otherName),
    )
    const name = reviewText((t) => t.transcript.name)
    await form(page).getByRole('textbox', { name }).fill('Guest 7')
    await form(page).getByRole('checkbox').check(SOON)
    await page.keyboard.press('Enter')
    await form(page).waitFor({ ...SOON, state: 'hidden' })
    const named = (await resultOf()).match(/<v Guest 7>/g)
    expect(named).toHaveLength(3)

    await edit(person, 'And the last one')
    const { people } = await env.tenant.api.getRecordingActivity({
      params: { recording_id: recordingId },
    })
    const panelist = people.find(({ role }) => role === 'panelist')
    await choose(page, new RegExp(panelist?.display_name ?? '-'))
    await said(page).press('Enter')
    await form(page).waitFor({ ...SOON, state: 'hidden' })
    const result = await resultOf()
    expect(result).toContain(`<v.panelist ${panelist?.display_name}>And the last one`)
    expect(result.match(/<v Guest 7>/g)).toHaveLength(2)
  })

  test('sees the newest lines when somebody was faster, and keeps what they typed', async () => {
    const { page } = person
    await edit(person, 'The first phrase')
    await said(page).fill('Mine')
    const params = { transcription_id: transcriptionId }
    const { revisions, lines } = await env.tenant.api.getTranscriptRevisions({ params })
    await env.tenant.api.correctTranscript({
      params,
      body: {
        lines: lines.map(({ role: _role, ...line }) => ({
          ...line,
          text: line.text.replace('second', 'other'),
        })),
      },
      ifMatch: `"${revisions[0]?.revision}"`,
    })
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(reviewText((t) => t.problems.changed))
      .waitFor(SOON)
    await lineWith(page, 'The other remark').waitFor(SOON)
    expect(await said(page).inputValue()).toBe('Mine')
    await said(page).press('Enter')
    await lineWith(page, 'Mine').waitFor(SOON)
    expect(await resultOf()).toMatch(/Mine[^]*The other remark/)
  })

  test('has room for it on a phone', async () => {
    const { page } = person
    await page.setViewportSize({ width: 390, height: 844 })
    await lineWith(page, 'Mine').click(SOON)
    await page
      .getByRole('button', { name: reviewText((t) => t.transcript.correct), exact: true })
      .click(SOON)
    await said(page).waitFor(SOON)
    await expectAccessible(page, 'review: correction on a phone')
    await said(page).fill('Typed on a phone')
    const save = { name: reviewText((t) => t.transcript.save) }
    await form(page).getByRole('button', save).click(SOON)
    await lineWith(page, 'Typed on a phone').waitFor(SOON)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
  })
})

test('somebody who may only watch sees nothing to correct', async () => {
  const link = await linkToReview(env, { recordingId }, { may: ['watch'] })
  const { page } = await env.openLink(link)
  await lineWith(page, 'Typed on a phone').click(SOON)
  await page.keyboard.press('F2')
  await searchField(page).fill('phone')
  await page.getByText(reviewText((t) => t.transcript.found(1))).waitFor(SOON)
  expect(await form(page).count()).toBe(0)
  expect(
    await page
      .getByRole('button', { name: reviewText((t) => t.transcript.correct), exact: true })
      .count(),
  ).toBe(0)
  expect(
    await page.getByRole('textbox', { name: reviewText((t) => t.transcript.replaceWith) }).count(),
  ).toBe(0)
})
