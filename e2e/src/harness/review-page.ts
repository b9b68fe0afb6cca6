import { type ViewerTokenOptions, signViewerToken } from '@interview-room/sdk/viewer-token.ts'
import type { ReviewDictionary } from '@interview-room/web/src/i18n/review-ja.ts'
import type { Locator, Page } from 'playwright-core'
import { openRecordedRoom, untilEnded, untilRecorded } from './recorded.ts'
import type { Service } from './service.ts'
import type { TestEnvironment } from './test-environment.ts'
import { LATER_MS, waitFor } from './wait.ts'
import { ANYTHING, beginningWith, containing, reviewText } from './words.ts'

type Scope = { recordingId: string } | { roomId: string }

interface ReviewLink {
  may: ViewerTokenOptions['may']
  watermark?: boolean
  name?: string
  /** Added to the address: `&t=4`. */
  place?: string
  expiresInSec?: number
  jti?: string
}

/** A tenant's link to the page of a recording or of a room. */
export async function linkToReview(
  { service }: { service: Pick<Service, 'local'> },
  scope: Scope,
  { place = '', name = 'Sato', ...options }: ReviewLink,
): Promise<string> {
  const { base_url: publicUrl, tenant_id: tenantId, token_key: key } = service.local
  const token = await signViewerToken({
    key: { kid: key.kid, alg: 'ES256', privateJwk: key.private_jwk },
    tenantId,
    publicUrl,
    reference: name,
    name,
    ...scope,
    ...options,
  })
  const path = 'roomId' in scope ? `rooms/${scope.roomId}` : scope.recordingId
  return `${publicUrl}/v/${path}#token=${token}${place}`
}

/** Records somebody for this long, in two parts with a pause between them, and waits for the file. */
export async function recordForReview(
  env: TestEnvironment,
  partSec: number,
): Promise<{ roomId: string; recordingId: string }> {
  const { roomId, panelist, moderator } = await openRecordedRoom(env)
  await moderator.post('/recording/start', { output_mode: 'composed' })
  await untilRecorded(moderator, partSec / 2)
  await moderator.post('/events', { event_type: 'marker', payload: { note: 'She hesitates' } })
  await untilRecorded(moderator, partSec)
  await moderator.post('/recording/pause')
  await moderator.post('/recording/start')
  await untilRecorded(moderator, 2 * partSec)
  await moderator.post('/recording/stop')
  const recording = await untilEnded(env.tenant, roomId)
  await panelist.leave()
  if (recording === undefined) throw new Error('nothing was recorded')
  return { roomId, recordingId: recording.id }
}

/** Waits until the recording has a transcript. */
export async function untilTranscribed(
  { tenant }: Pick<TestEnvironment, 'tenant'>,
  recordingId: string,
): Promise<void> {
  const isDone = async () => {
    const params = { recording_id: recordingId }
    const { items } = await tenant.api.listTranscriptions({ params })
    return items.some(({ status }) => status === 'done')
  }
  await waitFor(isDone, { what: 'the transcript is there', timeoutMs: LATER_MS })
}

export const video = (page: Page): Locator => page.locator('video[aria-label]')

/** The small picture under the pointer, on the axis. */
export const still = (page: Page): Locator => page.locator('[aria-hidden] video')

export const secondsOf = async (page: Page): Promise<number> =>
  video(page).evaluate((element: HTMLVideoElement) => element.currentTime)

export const playButton = (page: Page): Locator =>
  page.getByRole('button', { name: reviewText((t) => t.watching.play), exact: true })

export const tabOf = (page: Page, tab: 'transcript' | 'comments' | 'clips' | 'axis'): Locator =>
  page.getByRole('tab', { name: beginningWith(reviewText((t) => t.tabs[tab])) })

/** The lines that are drawn. */
export const transcriptLines = (page: Page): Locator =>
  page.getByRole('listbox', { name: reviewText((t) => t.transcript.lines) }).getByRole('option')

export const lineWith = (page: Page, words: string): Locator =>
  transcriptLines(page).filter({ hasText: words })

export const backToNow = (page: Page): Locator =>
  page.getByRole('button', { name: reviewText((t) => t.transcript.backToNow) })

export const searchField = (page: Page): Locator =>
  page.getByRole('textbox', { name: reviewText((t) => t.transcript.search) })

export const makeClip = (page: Page): Locator =>
  page.getByRole('button', { name: reviewText((t) => t.transcript.makeClip) })

export const clipForm = (page: Page): Locator =>
  page.getByRole('form', { name: reviewText((t) => t.clips.form) })

export const clipOf = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: reviewText((t) => t.clips.list) })
    .getByRole('listitem')
    .filter({ hasText: name })

/** The list of reels, and the form for a new one, are part of it. */
export const reelsOf = (page: Page): Locator =>
  page.getByRole('region', { name: reviewText((t) => t.reels.list) })

export const reelForm = (page: Page): Locator =>
  page.getByRole('form', { name: reviewText((t) => t.reels.form) })

export const reelOf = (page: Page, name: string): Locator =>
  reelsOf(page).getByRole('listitem').filter({ hasText: name })

export const commentField = (page: Page): Locator =>
  page.getByRole('textbox', { name: reviewText((t) => t.comments.write) })

export const commentWith = (page: Page, words: string): Locator =>
  page.getByRole('article').filter({ hasText: words })

/** A lane of the axis, as screen readers find it. */
export const laneOf = (
  page: Page,
  lane: 'marker' | 'handout' | 'hand' | 'break' | 'comment' | 'clip',
): Locator => page.getByRole('listbox', { name: reviewText((t) => t.axis.lanes[lane]) })

export const keyHelp = (page: Page): Locator =>
  page.getByRole('dialog', { name: reviewText((t) => t.keys.title) })

export const headingOf = (page: Page, state: keyof ReviewDictionary['closed']): Locator =>
  page.getByRole('heading', { name: reviewText((t) => t.closed[state].title) })

export const downloadButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: reviewText((t) => t.download) })

/** The voice of a person on the axis. */
export const voiceOf = (page: Page, name: string): Locator =>
  page.getByRole('img', { name: containing(reviewText((t) => t.axis.speaks(name, ANYTHING))) })
