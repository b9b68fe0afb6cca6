import { useEffect, useRef } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useNews } from '../../live/use-news.ts'
import { Zoomable } from '../zoom/zoomable.tsx'
import styles from './screen-stage.module.css'
import { shapeOfVideo } from './use-shapes.ts'

/** Another person with a visible shared screen. */
export type Sharer = Pick<Person, 'name'> & { screen: NonNullable<Person['screen']> }

/**
 * The person whose screen this page shows. One's own screen is visible already. If several people share, the one who
 * entered first is chosen.
 */
export function sharerAmong(people: readonly Person[]): Sharer | null {
  for (const { name, screen, isLocal } of people) {
    if (screen !== null && !isLocal) return { name, screen }
  }
  return null
}

interface ScreenStageProps {
  sharer: Sharer | null
  /** The handout is shown instead. */
  isHidden: boolean
  /** Called with width / height of the screen, whenever it changes. */
  onShape: (shape: number) => void
}

/** The shared screen beside the tiles. */
export function ScreenStage({ sharer, isHidden, onShape }: ScreenStageProps) {
  const text = useToolsText().screen
  const name = sharer?.name ?? null
  const news = useNews(name, name === null ? text.ended : text.began(name))
  return (
    <>
      <output className="visually-hidden" aria-live="polite">
        {news}
      </output>
      {sharer !== null && !isHidden && <SharedScreen sharer={sharer} onShape={onShape} />}
    </>
  )
}

function SharedScreen({
  sharer: { name, screen },
  onShape,
}: {
  sharer: Sharer
  onShape: (shape: number) => void
}) {
  const text = useToolsText().screen
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current === null) return undefined
    return screen.attach(video.current)
    // oxlint-disable-next-line react/exhaustive-deps -- a screen is the same as long as its id is
  }, [screen.id])

  return (
    <section className={styles.screen} aria-label={text.of(name)}>
      <Zoomable>
        <video
          ref={video}
          autoPlay
          playsInline
          muted
          onLoadedMetadata={({ currentTarget }) => report(currentTarget, onShape)}
          onResize={({ currentTarget }) => report(currentTarget, onShape)}
        />
      </Zoomable>
      <p className={styles.plate}>{text.of(name)}</p>
    </section>
  )
}

function report(video: HTMLVideoElement, onShape: (shape: number) => void): void {
  const shape = shapeOfVideo(video)
  if (shape !== undefined) onShape(shape)
}
