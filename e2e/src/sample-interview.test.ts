import { expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { sampleButton } from './harness/playground-page.ts'
import {
  clipOf,
  commentWith,
  laneOf,
  lineWith,
  playButton,
  secondsOf,
  tabOf,
  voiceOf,
} from './harness/review-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'

const LINE_SEC = 26

const env = useTestEnvironment({ ownService: { env: {} } })

test('one press on the first page opens an interview with everything that a review needs', async () => {
  const { page: playground } = await env.openLink(env.service.local.base_url)
  const opened = playground.waitForEvent('popup', SOON)
  await sampleButton(playground).click(SOON)
  const page = await opened
  await lineWith(page, '緑が濃いと、味も濃そうに見えるんです。').click(SOON)
  await waitFor(async () => (await secondsOf(page)) >= LINE_SEC, { what: 'the line was sought' })
  await playButton(page).click(SOON)
  const isLater = async () => (await secondsOf(page)) > LINE_SEC + 0.3
  await waitFor(isLater, { what: 'the video plays' })
  for (const name of ['森 一郎', '佐藤 花子']) await voiceOf(page, name).waitFor(SOON)
  for (const lane of ['marker', 'hand', 'break', 'comment', 'clip'] as const) {
    await laneOf(page, lane).getByRole('option').first().waitFor(SOON)
  }
  const handout = laneOf(page, 'handout').getByRole('option')
  expect(await handout.getAttribute('aria-label')).toContain('パッケージ案 A')
  await tabOf(page, 'comments').click(SOON)
  await commentWith(page, '賛成です。').waitFor(SOON)
  await tabOf(page, 'clips').click(SOON)
  await clipOf(page, 'はがしやすいラベル').waitFor(SOON)
  await expectAccessible(page, 'review: sample interview')
  await expectAccessible(playground, 'playground: sample interview')
})
