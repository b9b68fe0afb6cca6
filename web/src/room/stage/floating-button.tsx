import { type RefObject, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { FloatingIcon } from '../../design/icons.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import styles from './tile-button.module.css'

interface FloatingButtonProps {
  name: string
  video: RefObject<HTMLVideoElement | null>
}

/** Moves a video into the browser's floating window, above other programs. Hidden if the browser has none. */
export function FloatingButton({ name, video }: FloatingButtonProps) {
  const text = usePeopleText()
  const isFloating = useIsFloating(video)
  // Firefox has its own button over every video.
  if (!document.pictureInPictureEnabled) return null

  function toggle(): void {
    const change = isFloating
      ? document.exitPictureInPicture()
      : video.current?.requestPictureInPicture()
    // If the browser refuses, nothing changes.
    change?.catch(() => {})
  }

  return (
    <Button
      className={`${styles.button} ${styles.floating}`}
      aria-label={isFloating ? text.leaveFloating(name) : text.floating(name)}
      aria-pressed={isFloating}
      onPress={toggle}
    >
      <FloatingIcon />
    </Button>
  )
}

function useIsFloating(video: FloatingButtonProps['video']): boolean {
  const [isFloating, setIsFloating] = useState(false)
  useEffect(() => {
    const element = video.current
    if (element === null) return undefined
    const look = () => setIsFloating(document.pictureInPictureElement === element)
    element.addEventListener('enterpictureinpicture', look)
    element.addEventListener('leavepictureinpicture', look)
    return () => {
      element.removeEventListener('enterpictureinpicture', look)
      element.removeEventListener('leavepictureinpicture', look)
    }
  }, [video])
  return isFloating
}
