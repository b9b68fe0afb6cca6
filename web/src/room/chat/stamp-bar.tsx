import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import { useChatText } from '../../i18n/chat-text.ts'
import { areShortcutsOn } from '../tools/shortcut-choice.ts'
import { stampLabel } from './channels.ts'
import { stampAt } from './keys.ts'
import styles from './stamp-bar.module.css'

interface StampBarProps {
  stamps: readonly string[]
  visibility: Visibility
  isOpen: boolean
  onStamp: (identifier: string) => void
}

const WRITING = 'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]'

/** Stamps that go out with one press of a button or of their number. */
export function StampBar({ stamps, visibility, isOpen, onStamp }: StampBarProps) {
  const text = useChatText()
  useEffect(() => {
    if (!isOpen || stamps.length === 0) return undefined
    function onKey(event: KeyboardEvent): void {
      const place = event.target instanceof Element ? event.target : null
      if (!areShortcutsOn()) return
      const at = stampAt(event, place?.closest(WRITING) != null)
      const stamp = at === undefined ? undefined : stamps[at]
      if (stamp === undefined) return
      event.preventDefault()
      onStamp(stamp)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen, stamps, onStamp])

  if (stamps.length === 0) return null
  return (
    <ul className={styles.stamps} aria-label={text.stamps}>
      {stamps.map((stamp, at) => (
        <li key={stamp}>
          <Button
            className={styles.stamp ?? ''}
            aria-description={text.stampHint(at + 1)}
            onPress={() => onStamp(stamp)}
          >
            <kbd aria-hidden="true">{at + 1}</kbd>
            {stampLabel(text, visibility, stamp)}
          </Button>
        </li>
      ))}
    </ul>
  )
}
