import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { loadedFiles } from './harness/loaded.ts'
import { linkToReview, playButton, recordForReview } from './harness/review-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

const PAGE_MAX_BYTES = 350_000
const RECORDED_SEC = 2

const env = useTestEnvironment()

/** Bytes of the page with its scripts, styles, fonts and images. Scripts and styles must be compressed. */
async function bytesOf(page: Page): Promise<number> {
  const loaded = await loadedFiles(page)
  expect(loaded.length).toBeGreaterThan(2)
  const code = loaded.filter(({ name }) => /\.(?:js|css)$/.test(name))
  expect(code.filter(({ isCompressed }) => !isCompressed)).toEqual([])
  return loaded.reduce((sum, { encodedBytes }) => sum + encodedBytes, 0)
}

test('the room needs less than 350 kB, and the review page less than the room', async () => {
  const { id } = await env.tenant.book()
  const room = await env.enter({ roomId: id, role: 'panelist', name: 'Pana' })
  const roomBytes = await bytesOf(room.page)
  expect(roomBytes).toBeGreaterThan(PAGE_MAX_BYTES / 2)
  expect(roomBytes).toBeLessThan(PAGE_MAX_BYTES)
  await room.context.close()
  const { recordingId } = await recordForReview(env, RECORDED_SEC)
  const may = ['watch', 'comment', 'clip', 'download', 'share'] as const
  const { page } = await env.openLink(await linkToReview(env, { recordingId }, { may }))
  await playButton(page).waitFor(SOON)
  expect(await bytesOf(page)).toBeLessThan(roomBytes)
})
