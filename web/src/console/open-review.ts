import { VIEWER_ABILITIES } from '@interview-room/contract/reviews.ts'
import type { ConsoleApi } from './console-api.ts'

type ReviewScope = { room_id: string } | { recording_id: string }

const LIFE_SEC = 8 * 60 * 60

/**
 * Opens the review room of a recording, or of all recordings of a room, for the holder of the API key. The tab is opened before the answer
 * arrives: browsers block one that does not follow a press at once. Throws `ConsoleError`.
 */
export async function openReview(
  api: ConsoleApi,
  scope: ReviewScope | Promise<ReviewScope>,
): Promise<void> {
  const tab = globalThis.open('about:blank', '_blank')
  try {
    const { url } = await api<'createReviewLink'>('POST', '/review-links', {
      body: {
        ...(await scope),
        reference: 'console',
        name: 'Console',
        may: [...VIEWER_ABILITIES],
        expires_in_seconds: LIFE_SEC,
      },
    })
    if (tab === null) globalThis.location.assign(url)
    else tab.location.replace(url)
  } catch (error) {
    tab?.close()
    throw error
  }
}
