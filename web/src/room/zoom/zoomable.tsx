import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useFocusKept } from '../../design/use-focus-kept.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { scrollAfterZoom, zoomedBy, ZOOMS } from './zoom.ts'
import styles from './zoomable.module.css'

const NEAR = 2

interface ZoomableProps {
  children: ReactNode
  /** Buttons beside the zoom buttons. */
  tools?: ReactNode
}

/** An area that buttons or a double press enlarge, and that scrolls while enlarged. */
export function Zoomable({ children, tools }: ZoomableProps) {
  const text = useToolsText().zoom
  const view = useRef<HTMLDivElement>(null)
  const shown = useRef(1)
  const [zoom, setZoom] = useState(1)
  const buttons = useRef<HTMLDivElement>(null)
  // At either end of the zoom range, the focus moves to the other button.
  useFocusKept(buttons, (all) =>
    all.querySelector<HTMLElement>('button:nth-last-child(-n + 2):enabled'),
  )
  const isNear = zoom > 1

  useLayoutEffect(() => {
    const element = view.current
    if (element === null || shown.current === zoom) return
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = element
    const from = shown.current
    shown.current = zoom
    element.scrollTo({
      left: scrollAfterZoom({ size: clientWidth, scroll: scrollLeft }, from, zoom),
      top: scrollAfterZoom({ size: clientHeight, scroll: scrollTop }, from, zoom),
    })
  }, [zoom])

  return (
    <div className={styles.zoomable}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons do the same */}
      <div
        ref={view}
        className={styles.view}
        data-near={isNear}
        // While it is larger than its area, the arrow keys scroll it, too.
        {...(isNear ? { role: 'group', 'aria-label': text.enlarged, tabIndex: 0 } : {})}
        onDoubleClick={() => setZoom(isNear ? 1 : NEAR)}
      >
        <div
          className={styles.content}
          style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
        >
          {children}
        </div>
      </div>
      <div className={styles.tools} ref={buttons}>
        {tools}
        <Button
          aria-label={text.smaller}
          isDisabled={!isNear}
          onPress={() => setZoom(zoomedBy(zoom, -1))}
        >
          <span aria-hidden="true">−</span>
        </Button>
        <Button
          aria-label={text.larger}
          isDisabled={zoom === ZOOMS.at(-1)}
          onPress={() => setZoom(zoomedBy(zoom, 1))}
        >
          <span aria-hidden="true">+</span>
        </Button>
      </div>
    </div>
  )
}
