import { useEffect } from 'react'
import { areShortcutsOn } from './shortcut-choice.ts'
import { shortcutOf } from './shortcut.ts'

/** Letters as shortcuts. An undefined action is not available now. */
export function useShortcuts(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const place = event.target instanceof Element ? event.target : null
      const key = shortcutOf(event, place)
      if (key === null || !areShortcutsOn()) return
      const act = actions[key]
      if (act === undefined) return
      // The key must not be typed into the field that it opens.
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
