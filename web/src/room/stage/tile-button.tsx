import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { CallConnection } from '../../connection/call-connection.ts'
import { FlipIcon, PinIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import styles from './tile-button.module.css'

interface PinButtonProps {
  name: string
  isPinned: boolean
  onPress: () => void
}

/** Keeps a person large on this page only. */
export function PinButton({ name, isPinned, onPress }: PinButtonProps) {
  const text = useToolsText().layout
  return (
    <Button
      className={styles.button ?? ''}
      aria-label={isPinned ? text.unpin(name) : text.pin(name)}
      aria-pressed={isPinned}
      onPress={onPress}
    >
      <PinIcon isOff={isPinned} />
    </Button>
  )
}

/** Switches between the front and back camera of a phone. Hidden if there is only one camera. */
export function FlipButton({ call }: { call: CallConnection }) {
  const text = useToolsText().layout
  const hasTwo = useHasTwoCameras()
  if (!hasTwo || navigator.maxTouchPoints === 0) return null
  return (
    <Button
      className={styles.button ?? ''}
      aria-label={text.flip}
      onPress={() => void call.flipCamera()}
    >
      <FlipIcon />
    </Button>
  )
}

function useHasTwoCameras(): boolean {
  const [hasTwo, setHasTwo] = useState(false)
  useEffect(() => {
    const { mediaDevices } = navigator
    const count = () =>
      void mediaDevices.enumerateDevices().then(
        (devices) => setHasTwo(devices.filter(({ kind }) => kind === 'videoinput').length > 1),
        () => setHasTwo(false),
      )
    count()
    mediaDevices.addEventListener('devicechange', count)
    return () => mediaDevices.removeEventListener('devicechange', count)
  }, [])
  return hasTwo
}
