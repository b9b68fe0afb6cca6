import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * For a place whose buttons come and go. Where one that has the focus is gone, or can be pressed no more, the keyboard
 * continues at what `next` finds: with the focus on nothing it would start over with the page.
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
    // Who has pressed elsewhere is not brought back.
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

/** Where there is nothing nearer. */
export function headingOfPage(): HTMLElement | null {
  return document.querySelector<HTMLElement>('h1[tabindex]')
}
