import type { Page } from 'playwright-core'

/** The controls, names and handouts that captions cover, and how captions themselves do not fit. */
export async function captionConflictsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /* oxlint-disable unicorn/consistent-function-scoping -- the page has nothing but this function */
    const captions = document.querySelector('[data-captions]')
    if (captions === null) return ['no captions']
    const box = captions.getBoundingClientRect()
    const found: string[] = []
    if (!isWithin(box, new DOMRect(0, 0, innerWidth, innerHeight)))
      found.push('outside of the page')
    const place = captions.parentElement?.getBoundingClientRect() ?? box
    if (!isWithin(box, place)) found.push('cut')
    for (const name of captions.querySelectorAll('bdi')) {
      if (name.checkVisibility() && name.clientWidth < 24) found.push(`unread: ${name.textContent}`)
    }
    for (const part of document.querySelectorAll('button, article strong, main img')) {
      if (isSeen(part) && overlap(part.getBoundingClientRect())) found.push(nameOf(part))
    }
    return found

    function nameOf(part: Element): string {
      return part.getAttribute('aria-label') ?? part.getAttribute('alt') ?? part.textContent
    }

    function isSeen(part: Element): boolean {
      const { width, height } = part.getBoundingClientRect()
      const isClipped = [part, part.parentElement].some(
        (each) => each !== null && getComputedStyle(each).clipPath !== 'none',
      )
      return part.checkVisibility() && !isClipped && width > 1 && height > 1
    }

    function isWithin(inner: DOMRect, { left, top, right, bottom }: DOMRect): boolean {
      const isWide = inner.left >= left - 1 && inner.right <= right + 1
      return isWide && inner.top >= top - 1 && inner.bottom <= bottom + 1
    }

    function overlap(each: DOMRect): boolean {
      const isBeside = each.right <= box.left + 1 || each.left + 1 >= box.right
      return !isBeside && each.bottom > box.top + 1 && each.top + 1 < box.bottom
    }
  })
}
