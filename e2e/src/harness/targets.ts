import type { Page } from 'playwright-core'

/** The size that a finger needs; in px. */
export const FINGER_PX = 44

/** Every control on the page that is smaller than this, one line each. */
export async function smallTargets(page: Page, state: string): Promise<string[]> {
  const found = await page.evaluate(smallerThan, FINGER_PX)
  return found.map((each) => `${state}: too small for a finger: ${each}`)
}

function smallerThan(leastPx: number): string[] {
  /** True for an element of one pixel, in which React Aria hides content for screen readers. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it goes into the page with the one around it
  function isForScreenReaders(element: Element | null): boolean {
    if (element === null) return false
    const { width, height } = element.getBoundingClientRect()
    const isHidden = Math.min(width, height) <= 1 && getComputedStyle(element).overflow === 'hidden'
    return isHidden || isForScreenReaders(element.parentElement)
  }

  const CONTROLS = 'button, a[href], input, select, textarea, [role="menuitem"], [role="slider"]'
  const found: string[] = []
  for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
    // The control is behind a dialog.
    if (control.closest('[inert], [aria-hidden="true"]') !== null) continue
    if (!control.checkVisibility({ visibilityProperty: true })) continue
    if (isForScreenReaders(control)) continue
    const { width, height } = control.getBoundingClientRect()
    // Text layout places boxes on fractions of a pixel.
    if (Math.min(width, height) + 0.5 >= leastPx) continue
    const name = control.getAttribute('aria-label') ?? control.innerText
    found.push(`${control.localName} "${name}" ${Math.round(width)} x ${Math.round(height)}`)
  }
  return found
}
