import { useEffect } from 'react'
import { areShortcutsOn } from './shortcut-choice.ts'
import { shortcutOf } from './shortcut.ts'

/** Letters as shortcuts; an action that is undefined is not offered now. */
export function useShortcuts(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const place = event.target instanceof Element ? event.target : null
      const key = shortcutOf(event, place)
      if (key === null || !areShortcutsOn()) return
      const act = actions[key]
      if (act === undefined) return
      // A key that opens a field must not be written into it.
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
