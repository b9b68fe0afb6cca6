import { type Role, ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { joinButton } from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

/** Beside the question of what fits: how much of the page the main thing has. */
const LOBBY_SIZES = [
  { width: 1920, height: 969 },
  { width: 1366, height: 657 },
  { width: 1280, height: 800 },
  { width: 844, height: 390 },
  { width: 390, height: 664 },
  { width: 360, height: 640 },
]
const env = useTestEnvironment()

async function isWholeInView(page: Page): Promise<boolean> {
  return joinButton(page).evaluate((button) => {
    const { top, bottom, left, right } = button.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const isOnTop = button.contains(document.elementFromPoint(x, y))
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && isOnTop
  })
}

describe('before the room', () => {
  test.each<Role>(ROLES)('a %s sees the button to join without scrolling', async (role) => {
    const name = 'A concept test of a new drink with a long name 飲料パッケージの新コンセプト調査'
    const { id: roomId } = await env.tenant.book({ name })
    const { page } = await env.open({ roomId, role, name: '佐藤 花子' })
    await joinButton(page).waitFor(SOON)
    for (const size of LOBBY_SIZES) {
      await page.setViewportSize(size)
      await expect.poll(async () => isWholeInView(page), SOON).toBe(true)
    }
  })
})
