import { useEffect } from 'react'

/** Dialogs and menus keep the focus. */
const KEEPS_FOCUS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** F6 moves the focus from the pictures to the open panel, to the controls and back; Shift+F6 the other way. */
export function useRegionKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return
  const focused = document.activeElement
  if (focused?.closest(KEEPS_FOCUS)) return
  event.preventDefault()
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((region) =>
    region.checkVisibility(),
  )
  const from = regions.findIndex((region) => region.contains(focused))
  const step = event.shiftKey ? -1 : 1
  // From outside of all of them, either key goes to the first.
  const to = from === -1 ? 0 : (from + step + regions.length) % regions.length
  regions[to]?.focus()
}
