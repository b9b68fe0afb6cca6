import type { Response } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import {
  commentField,
  downloadButton,
  headingOf,
  linkToReview,
  recordForReview,
  tabOf,
  video,
} from './harness/review-page.ts'
import {
  gateField,
  lastLink,
  openGate,
  sharedClip,
  shareButton,
  shareDialog,
  shareForm,
} from './harness/share-page.ts'
import { useTestEnvironment, type Visit } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { containing, shareText } from './harness/words.ts'

const PART_SEC = 4
const MAY = ['watch', 'comment', 'clip', 'download', 'share'] as const

const env = useTestEnvironment()
let recordingId: string
let sharer: Person

beforeAll(async () => {
  ;({ recordingId } = await recordForReview(env, PART_SEC))
})

beforeEach(async () => {
  sharer = await env.openLink(await linkToReview(env, { recordingId }, { may: MAY }))
  await shareButton(sharer.page).click(SOON)
  await shareForm(sharer.page).waitFor(SOON)
})

afterEach(async () => sharer.context.close())

const isMade = (answer: Response) =>
  answer.request().method() === 'POST' && answer.url().endsWith('/shares')

/** Makes a link as the form stands, and returns its address. It is the first one that is shown. */
async function make({ page }: Person): Promise<string> {
  const answered = page.waitForResponse(isMade, SOON)
  await shareForm(page)
    .getByRole('button', { name: shareText((t) => t.make) })
    .click(SOON)
  const { data } = (await (await answered).json()) as { data: { id: string } }
  // Each list signs the link anew.
  await expect.poll(() => lastLink(page).inputValue(SOON), SOON).toContain(data.id)
  return lastLink(page).inputValue(SOON)
}

const allow = async ({ page }: Person, ability: 'comment' | 'download') =>
  shareForm(page)
    .getByRole('checkbox', { name: shareText((t) => t.abilities[ability]) })
    .check(SOON)

const setPassword = async ({ page }: Person, password: string) =>
  shareForm(page)
    .getByLabel(shareText((t) => t.password))
    .fill(password, SOON)

async function receive(url: string, visit?: Visit): Promise<Person> {
  return env.openLink(url, visit)
}

/** The video has a picture. */
async function expectPicture({ page }: Person, of = video): Promise<void> {
  const isReady = async () =>
    of(page).evaluate((element: HTMLVideoElement) => element.readyState >= 2)
  await waitFor(isReady, { what: 'the video has a picture' })
}

async function isSaidByClient(): Promise<boolean> {
  const { items } = await env.tenant.api.listComments({ params: { recording_id: recordingId } })
  return items.some(({ viewer }) => viewer.name === 'Client')
}

describe('a link that a researcher made', () => {
  test('opens the recording for somebody without a token, for watching alone', async () => {
    await expectAccessible(sharer.page, 'review: share dialog')
    const receiver = await receive(await make(sharer))
    const { page } = receiver
    await expectPicture(receiver)
    expect(page.url()).not.toContain('token')
    expect(await shareButton(page).count()).toBe(0)
    expect(await downloadButton(page).count()).toBe(0)
    expect(await tabOf(page, 'comments').count()).toBe(0)
    await page.reload()
    await expectPicture(receiver)
    await receiver.context.close()
  })

  test('asks for its password, and for the name of somebody who comments', async () => {
    await allow(sharer, 'comment')
    await setPassword(sharer, 'first reaction')
    const receiver = await receive(await make(sharer))
    const { page } = receiver
    await gateField(page, 'password').fill('second reaction', SOON)
    await gateField(page, 'name').fill('Client', SOON)
    await openGate(page).click(SOON)
    await page.getByText(shareText((t) => t.gate.wrong)).waitFor(SOON)
    await expectAccessible(page, 'shared: wrong password')
    await gateField(page, 'password').fill('first reaction', SOON)
    await openGate(page).click(SOON)
    await expectPicture(receiver)
    await tabOf(page, 'comments').click(SOON)
    await commentField(page).fill('Seen', SOON)
    await page.keyboard.press('Enter')
    await waitFor(isSaidByClient, { what: 'the comment is stored' })
    await receiver.context.close()
  })

  test('shuts out whoever has it open when it is revoked', async () => {
    const receiver = await receive(await make(sharer))
    await expectPicture(receiver)
    const row = shareDialog(sharer.page).getByRole('listitem').first()
    await row.getByRole('button', { name: containing(shareText((t) => t.revoke)) }).click(SOON)
    await sharer.page
      .getByRole('alertdialog')
      .getByRole('button', { name: shareText((t) => t.revoke) })
      .click(SOON)
    await row
      .getByText(
        shareText((t) => t.revoked),
        { exact: true },
      )
      .waitFor(SOON)
    await receiver.page.reload()
    await headingOf(receiver.page, 'ended').waitFor(SOON)
    await receiver.context.close()
  })

  test('to a clip plays this clip, and shows nothing else', async () => {
    const clip = await env.tenant.api.createClip({
      params: { recording_id: recordingId },
      body: { start_sec: 1, end_sec: 3, title: 'First look' },
    })
    const isClipMade = async () =>
      (await env.tenant.api.getClip({ params: { clip_id: clip.id } })).status === 'available'
    await waitFor(isClipMade, { what: 'the clip is made', timeoutMs: 60_000 })
    const { url } = await env.tenant.api.createShare({
      params: { recording_id: recordingId },
      body: { clip_id: clip.id },
    })
    const receiver = await receive(url)
    await receiver.page.getByRole('heading', { name: 'First look' }).waitFor(SOON)
    await sharedClip(receiver.page).waitFor(SOON)
    await expectPicture(receiver, sharedClip)
    expect(await receiver.page.getByRole('tab').count()).toBe(0)
    await expectAccessible(receiver.page, 'shared: clip')
    await receiver.context.close()
  })
})
