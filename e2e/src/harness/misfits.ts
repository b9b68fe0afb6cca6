import type { Locator, Page } from 'playwright-core'

export interface Size {
  width: number
  height: number
  /** The size of the letters, as their owner has set it; in percent. */
  textPercent?: number
}

/**
 * Everything that cannot be pressed or read: a control outside of the page, smaller than a finger needs or under something else,
 * and cut text. Elements that are scrolled out of a list are left out, and so are those above or below the window on a page that
 * may be scrolled.
 */
export async function misfitsOf(
  page: Page,
  targetMinPx: number,
  { isScrolled = false }: { isScrolled?: boolean } = {},
): Promise<string[]> {
  return page.evaluate(
    ([minPx, mayScroll]) => {
      /* oxlint-disable unicorn/consistent-function-scoping -- the page has nothing but this function */
      const found: string[] = []
      for (const control of document.querySelectorAll<HTMLElement>(
        'button, a[href], input, textarea, [role="menuitem"]',
      )) {
        // Pressing the label of a box counts, too.
        const target = control.matches('[type="checkbox"], [type="radio"]')
          ? (control.closest('label') ?? control)
          : control
        const box = target.getBoundingClientRect()
        const isSeen = control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        if (!isSeen || box.width <= 1 || box.height <= 1) continue
        if (control.closest('[inert], [aria-hidden="true"]') !== null) continue
        const name = `${control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''} (${control.tagName})`
        const { isScrolledOut, isCut } = clippingOf(control, box)
        if (isScrolledOut || (mayScroll && (box.top < 0 || box.bottom > innerHeight))) continue
        const report = (what: string) => found.push(`${name}: ${what}`)
        if (isCut) report('cut off by what it is in')
        else if (!isWithin(box, new DOMRect(0, 0, innerWidth, innerHeight)))
          report('outside of the page')
        else if (Math.min(box.width, box.height) < minPx) report('too small')
        else if (!isOnTop(target, box)) report(`covered by ${whatCovers(box)}`)
        if (control.scrollWidth > control.clientWidth + 1) report('cut off')
      }
      return found

      /** Lists may be scrolled. Everything else must show its whole content. */
      function clippingOf(
        element: Element,
        box: DOMRect,
      ): { isScrolledOut: boolean; isCut: boolean } {
        let isScrolledOut = false
        let isCut = false
        for (let at = element.parentElement; at !== null; at = at.parentElement) {
          const { overflowY } = getComputedStyle(at)
          if (overflowY === 'visible' || isWithin(box, at.getBoundingClientRect())) continue
          // Only for screen readers, as the buttons that dismiss a sheet.
          if (at.clientWidth <= 1 && at.clientHeight <= 1) return { isScrolledOut: true, isCut }
          if (overflowY === 'auto' || overflowY === 'scroll') isScrolledOut = true
          else isCut = true
        }
        return { isScrolledOut, isCut }
      }

      function isWithin(box: DOMRect, area: DOMRect): boolean {
        const { left, top, right, bottom } = area
        return (
          box.left >= left - 1 &&
          box.top >= top - 1 &&
          box.right <= right + 1 &&
          box.bottom <= bottom + 1
        )
      }

      function topAt({ left, top, width, height }: DOMRect): Element | null {
        return document.elementFromPoint(left + width / 2, top + height / 2)
      }

      function isOnTop(control: Element, box: DOMRect): boolean {
        const hit = topAt(box)
        return hit !== null && (control.contains(hit) || hit.contains(control))
      }

      function whatCovers(box: DOMRect): string {
        const { tagName = 'nothing', className = '', textContent = '' } = topAt(box) ?? {}
        return `${tagName} ${className} ${(textContent ?? '').slice(0, 40)}`
      }
    },
    [targetMinPx, isScrolled] as const,
  )
}

/**
 * Collisions inside the tiles of people: name, connection, buttons, and the placeholder of a video. Elements that are visually
 * hidden for screen readers are left out.
 */
export async function tileCollisionsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /* oxlint-disable unicorn/consistent-function-scoping -- the page has nothing but this function */
    return [...document.querySelectorAll('article')].flatMap((tile) => {
      const name = tile.querySelector('strong')
      const plate = name?.parentElement
      const standIn = tile.querySelectorAll('video + div > :is(span, p)')
      const quality = tile.querySelectorAll('[data-quality]')
      const all = [...quality, ...standIn, ...tile.querySelectorAll('button')]
      const parts = (plate ? [plate, ...all] : all).filter(isSeen).map((part) => ({
        what: part.textContent || part.ariaLabel,
        box: part.getBoundingClientRect(),
      }))
      const whole = tile.getBoundingClientRect()
      const found = parts
        .filter(({ box }) => !isWithin(box, whole))
        .map(({ what }) => `${what}: cut`)
      parts.forEach((one, at) => {
        const hit = parts.slice(at + 1).find(({ box }) => overlap(one.box, box))
        if (hit !== undefined) found.push(`${one.what} collides with ${hit.what}`)
      })
      const isNamed = plate ? isSeen(plate) && whole.width >= 112 : false
      if (isNamed && name!.clientWidth < 12) found.push(`${name!.textContent}: not to be read`)
      return found
    })

    function isSeen(part: Element): boolean {
      const { width, height } = part.getBoundingClientRect()
      const isClipped = [part, part.parentElement].some(
        (each) => each !== null && getComputedStyle(each).clipPath !== 'none',
      )
      return part.checkVisibility() && !isClipped && width > 1 && height > 1
    }

    function isWithin(box: DOMRect, area: DOMRect): boolean {
      const { left, top, right, bottom } = area
      const isWide = box.left >= left - 1 && box.right <= right + 1
      return isWide && box.top >= top - 1 && box.bottom <= bottom + 1
    }

    function overlap(a: DOMRect, b: DOMRect): boolean {
      const isBeside = a.left + 1 >= b.right || b.left + 1 >= a.right
      return !isBeside && a.top + 1 < b.bottom && b.top + 1 < a.bottom
    }
  })
}

/** Resizes the page and its letters, and waits until nothing on it moves. */
export async function resizeTo(
  page: Page,
  { width, height, textPercent = 100 }: Size,
): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate(async (percent) => {
    /* oxlint-disable unicorn/consistent-function-scoping -- the page has nothing but this function */
    document.documentElement.style.fontSize = percent === 100 ? '' : `${percent}%`
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const places = () =>
      [...document.querySelectorAll('article, button')]
        .map((each) => Object.values(each.getBoundingClientRect().toJSON() as object).join(' '))
        .join(';')
    let before = ''
    let framesAtRest = 0
    while (framesAtRest < 3) {
      await nextFrame()
      const now = places()
      framesAtRest = now === before ? framesAtRest + 1 : 0
      before = now
    }
  }, textPercent)
}

/** True if nothing of the control is cut off or covered, without scrolling. */
export async function isWholeInView(control: Locator): Promise<boolean> {
  return control.evaluate((button) => {
    const { top, bottom, left, right } = button.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const isOnTop = button.contains(document.elementFromPoint(x, y))
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && isOnTop
  })
}
