import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { useEffect, useEffectEvent } from 'react'
import { Button } from 'react-aria-components'
import { useChatText } from '../../i18n/chat-text.ts'
import { stampLabel } from './channels.ts'
import styles from './stamp-bar.module.css'
import type { StampKeys } from './stamp-keys.ts'

interface StampBarProps {
  stamps: readonly string[]
  visibility: Visibility
  isOpen: boolean
  keys: StampKeys
  onStamp: (identifier: string) => void
}

/** Stamps that are sent with one press of their button or number key. */
export function StampBar({ stamps, visibility, isOpen, keys, onStamp }: StampBarProps) {
  const text = useChatText()
  const sendAt = useEffectEvent((at: number) => {
    const stamp = stamps[at]
    if (stamp === undefined) return false
    onStamp(stamp)
    return true
  })
  const hasStamps = stamps.length > 0
  useEffect(
    () => (isOpen && hasStamps ? keys.open(visibility, (at) => sendAt(at)) : undefined),
    [keys, visibility, isOpen, hasStamps],
  )

  if (!hasStamps) return null
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
            <span>{stampLabel(text, visibility, stamp)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
