import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { makeTenant } from './new-tenant.ts'
import type { PageRecorder } from './page-recorder.ts'
import {
  clipForm,
  clipOf,
  commentWith,
  headingOf,
  keyHelp,
  laneOf,
  lineWith,
  linkToReview,
  makeClip,
  reelForm,
  reelsOf,
  tabOf,
  video,
} from './review-page.ts'
import { gateField, shareButton, shareDialog, sharedClip } from './share-page.ts'
import { actAsTenant } from './tenant.ts'
import { SOON, waitFor } from './wait.ts'
import { reviewText } from './words.ts'

type Look = (page: Page, name: PageStateName) => Promise<void>

const LINE = '緑が濃いと、味も濃そうに見えるんです。'
const CLIP = 'はがしやすいラベル'
const EVERYTHING = ['watch', 'comment', 'clip', 'download', 'share', 'staff'] as const
const PASSWORD = 'first reaction'

/** The review of the sample interview, which has something of everything. */
export async function expectReview(recorder: PageRecorder, look: Look): Promise<void> {
  const local = await makeTenant(recorder.env.service, 'Review', '--sandbox')
  const { api } = actAsTenant(local)
  const sample = await api.triggerWebhook({ body: { type: 'sample_interview' } })
  const params = { room_id: sample.room_id ?? '' }
  const recording = (await api.listRecordings({ params })).items[0]
  if (recording === undefined) throw new Error('the sample has no recording')
  const scope = { recordingId: recording.id }
  const env = { service: { local } }
  const link = async (options: Partial<Parameters<typeof linkToReview>[2]>) =>
    linkToReview(env, scope, { may: EVERYTHING, name: '佐藤', place: '&t=28', ...options })

  const { page, context } = await recorder.openLink(await link({}))
  await expectStudy(page, look)
  await expectAxis(page, look)
  await context.close()

  const corrector = await recorder.openLink(await link({ may: ['watch', 'correct'] }))
  await untilPicture(corrector.page)
  await lineWith(corrector.page, LINE).click(SOON)
  await corrector.page.keyboard.press('F2')
  await look(corrector.page, 'review-correction')
  await corrector.context.close()

  const marked = await recorder.openLink(await link({ may: ['watch'], watermark: true }))
  await untilPicture(marked.page)
  await look(marked.page, 'review-watermark')
  await marked.context.close()

  const path = { recording_id: recording.id }
  const guarded = await api.createShare({
    params: path,
    body: { may: ['watch', 'comment'], password: PASSWORD },
  })
  const gate = await recorder.openLink(guarded.url)
  await gateField(gate.page, 'password').waitFor(SOON)
  await look(gate.page, 'review-gate')
  await gate.context.close()

  const clips = await api.listClips({ params: path })
  const clipId = clips.items.find(({ title }) => title === CLIP)?.id ?? ''
  const shared = await recorder.openLink(
    (await api.createShare({ params: path, body: { clip_id: clipId } })).url,
  )
  await untilPicture(shared.page, sharedClip)
  await look(shared.page, 'review-shared-clip')
  await shared.context.close()

  const ended = await recorder.openLink(await link({ expiresInSec: 1 }))
  await headingOf(ended.page, 'ended').waitFor(SOON)
  await look(ended.page, 'review-ended')
  await ended.context.close()
}

async function expectStudy(page: Page, look: Look): Promise<void> {
  await untilPicture(page)
  await lineWith(page, LINE).waitFor(SOON)
  await page.keyboard.press('?')
  await keyHelp(page).waitFor(SOON)
  await look(page, 'review-keys')
  await page.keyboard.press('Escape')

  await lineWith(page, LINE).click(SOON)
  await page.keyboard.press('Shift+ArrowDown')
  await makeClip(page).click(SOON)
  await clipForm(page).waitFor(SOON)
  await look(page, 'review-clip-form')
  await clipForm(page)
    .getByRole('button', { name: reviewText((t) => t.cancel) })
    .click(SOON)
  await clipOf(page, CLIP).waitFor(SOON)
  await look(page, 'review-clips')

  await reelsOf(page)
    .getByRole('button', { name: reviewText((t) => t.reels.start) })
    .click(SOON)
  await reelForm(page).getByLabel(CLIP, { exact: true }).check(SOON)
  await look(page, 'review-reel-form')

  await tabOf(page, 'comments').click(SOON)
  await commentWith(page, '賛成です。').waitFor(SOON)
  await look(page, 'review-comments')
  await shareButton(page).click(SOON)
  await shareDialog(page).waitFor(SOON)
  await look(page, 'review-share')
  await page.keyboard.press('Escape')
  // In two languages, which a dialog would hide the switch of.
  await tabOf(page, 'transcript').click(SOON)
  await look(page, 'review-transcript')
}

/** On a phone, the axis is a tab. */
async function expectAxis(page: Page, look: Look): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await tabOf(page, 'axis').click(SOON)
  await laneOf(page, 'marker').waitFor(SOON)
  await look(page, 'review-axis')
}

async function untilPicture(page: Page, of = video): Promise<void> {
  const isThere = async () =>
    of(page).evaluate(({ readyState }: HTMLVideoElement) => readyState >= 2)
  await waitFor(isThere, { what: 'the video has a picture' })
}
