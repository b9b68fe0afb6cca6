import { useEffect, useRef } from 'react'
import { areShortcutsOn } from './shortcut-choice.ts'
import { shortcutOf } from './shortcut.ts'
import { createTypingGuard } from './typing-guard.ts'

/** Actions by key. An undefined action is not available now. */
type Actions = Readonly<Record<string, (() => void) | undefined>>

const offered = new Set<{ current: Actions }>()
const guard = createTypingGuard()

function onKey(event: KeyboardEvent): void {
  const key = shortcutOf(event, event.target instanceof Element ? event.target : null)
  if (key === null || !areShortcutsOn()) return
  const find = () => [...offered].map(({ current }) => current[key]).find((each) => each)
  // The key must not be typed into the field that it opens.
  if (find() !== undefined) event.preventDefault()
  guard.press(() => find()?.())
}

/** Letters as shortcuts. A word that is typed beside a field does nothing: see `createTypingGuard`. */
export function useShortcuts(actions: Actions): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    if (offered.size === 0) document.addEventListener('keydown', onKey)
    offered.add(current)
    return () => {
      offered.delete(current)
      if (offered.size === 0) document.removeEventListener('keydown', onKey)
    }
  }, [])
}
