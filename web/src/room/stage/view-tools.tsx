import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { FullScreenIcon, GridIcon, OneLargeIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { LAYOUTS_FROM } from './arrange-stage.ts'
import type { StageView } from './use-layout.ts'
import styles from './view-tools.module.css'

interface ViewToolsProps {
  view: StageView
  /** How many people are seen. */
  count: number
}

/** How videos are shown: their layout, where there is a choice, and full screen. */
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

/** The whole page goes over the screen, so that nothing of it is hidden: not the recording either. */
function useFullScreen() {
  const [isFull, setIsFull] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const onChange = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [])
  function toggle(): void {
    const change = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()
    // Refused by the browser: everything stays as it is.
    change.catch(() => {})
  }
  return { isFull, toggle }
}
