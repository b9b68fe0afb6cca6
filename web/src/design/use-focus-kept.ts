import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * For a place whose buttons come and go. When the focused button disappears or is disabled, the focus moves to the
 * element that `next` finds. Otherwise the keyboard would start again at the top of the page.
 */
export function useFocusKept(
  place: RefObject<HTMLElement | null>,
  next: (element: HTMLElement) => HTMLElement | null,
): void {
  const find = useEffectEvent(next)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const away = new AbortController()
    const { signal } = away
    let last: Element | null = null
    function onUse({ target }: Event): void {
      last = target instanceof Element && element?.contains(target) === true ? target : null
    }
    const watch = new MutationObserver(() => {
      const { activeElement } = document
      const isLost = activeElement === document.body || activeElement === last
      if (last === null || !isLost || !isGone(last)) return
      last = null
      find(element)?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', onUse, { signal })
    // A person who clicked elsewhere keeps their place.
    document.addEventListener('pointerdown', onUse, { signal, capture: true })
    watch.observe(element, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    return () => {
      away.abort()
      watch.disconnect()
    }
  }, [place])
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled')
}

/** The fallback if there is no closer element. */
export function headingOfPage(): HTMLElement | null {
  return document.querySelector<HTMLElement>('h1[tabindex]')
}
