import type { Locator } from 'playwright-core'
import { SOON } from './wait.ts'

const TABS_MAX = 80

/** Presses Tab until the control has the focus, where it can be seen. */
export async function tabTo(control: Locator): Promise<void> {
  const page = control.page()
  await control.first().waitFor({ ...SOON, state: 'attached' })
  const focused = control.and(page.locator(':focus-visible'))
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) > 0) return
  }
  throw new Error(`Tab does not reach ${control.toString()}`)
}
