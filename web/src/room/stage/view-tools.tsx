import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { FullScreenIcon, GridIcon, OneLargeIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { LAYOUTS_FROM } from './arrange-stage.ts'
import type { StageView } from './use-layout.ts'
import styles from './view-tools.module.css'

interface ViewToolsProps {
  view: StageView
  /** The number of visible people. */
  count: number
}

/** The view of the videos: their layout, if there is a choice, and full screen. */
export function ViewTools({ view, count }: ViewToolsProps) {
  const text = useToolsText().layout
  const { isFull, toggle } = useFullScreen()
  const isGrid = view.layout === 'grid'
  return (
    <div className={styles.tools}>
      {count >= LAYOUTS_FROM && (
        <Button
          className={styles.tool ?? ''}
          aria-label={isGrid ? text.speaker : text.grid}
          onPress={view.toggleLayout}
        >
          {isGrid ? <OneLargeIcon /> : <GridIcon />}
        </Button>
      )}
      {document.fullscreenEnabled && (
        <Button
          className={`${styles.tool} ${styles.fullScreen}`}
          aria-label={isFull ? text.leaveFullScreen : text.fullScreen}
          onPress={toggle}
        >
          <FullScreenIcon isOn={isFull} />
        </Button>
      )}
    </div>
  )
}

/** Makes the whole page full screen, so that nothing is hidden, including the recording indicator. */
function useFullScreen() {
  const [isFull, setIsFull] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const onChange = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [])
  function toggle(): void {
    const change = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()
    // If the browser refuses, nothing changes.
    change.catch(() => {})
  }
  return { isFull, toggle }
}
