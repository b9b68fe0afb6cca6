import type { Page } from 'playwright-core'

const TABS_MAX = 80

/** Goes on with Tab until the control has the focus, where it can be seen. */
export async function tabTo(page: Page, testId: string): Promise<void> {
  const focused = page.locator(`[data-testid="${testId}"]:focus-visible`)
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) > 0) return
  }
  throw new Error(`Tab does not reach ${testId}`)
}
