import type { Presentation } from '@interview-room/contract/live-stream.ts'
import { useRef } from 'react'
import type { PointerChannel } from '../../connection/pointer-channel.ts'
import { loadedLater } from '../../design/loaded-later.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLastingUrl } from '../../live/use-lasting-url.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useNews } from '../../live/use-news.ts'
import { usePointer } from '../pointer/use-pointer.tsx'
import { Zoomable } from '../zoom/zoomable.tsx'
import styles from './handout-stage.module.css'
import type { TurnBarProps } from './pdf/turn-bar.tsx'
import { SharedVideo } from './shared-video.tsx'
import type { Handouts } from './use-handouts.ts'

/** Loaded for moderators only. */
const TurnBar = loadedLater<TurnBarProps>(async () => (await import('./pdf/turn-bar.tsx')).TurnBar)

type Shown = NonNullable<Presentation>

interface SightProps {
  canModerate: boolean
  pointer: PointerChannel
  /** Called with width / height of the shown file, as soon as it is known. */
  onShape: (shape: number) => void
}

export interface HandoutStageProps extends SightProps {
  handouts: Handouts
}

/** The handout that everybody sees, beside the tiles. Empty if none is shown. */
export function HandoutStage({ handouts, ...props }: HandoutStageProps) {
  const stage = useRef<HTMLElement>(null)
  const presentation = useLiveState((state) => state.presentation)
  const text = useToolsText().handout
  const name = presentation === null ? null : (titleOf(presentation) ?? text.untitled)
  const id = presentation?.handout_id ?? null
  const news = useNews(id, name === null ? text.ended : text.began(name))
  return (
    <>
      <output className="visually-hidden" aria-live="polite">
        {news}
      </output>
      {presentation !== null && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- takes a menu away, and adds nothing
        <section
          ref={stage}
          className={styles.stage}
          aria-label={text.stage}
          // The browser's menu would offer to save the file, and it is only meant to be seen.
          onContextMenu={(event) => event.preventDefault()}
        >
          <ShownHandout key={fileOf(presentation)} presentation={presentation} {...props} />
          {handouts.pages !== null && <TurnBar handouts={handouts} stage={stage} />}
        </section>
      )}
    </>
  )
}

/**
 * The file on display, whatever the signature in its address: a handout's file becomes another one when one that browsers play
 * has been made of it.
 */
function fileOf({ handout_id: id, file_url: url }: Shown): string {
  return `${id} ${url.split('?', 1)[0]}`
}

interface ShownHandoutProps extends SightProps {
  presentation: Shown
}

function ShownHandout({ presentation, ...stage }: ShownHandoutProps) {
  const text = useToolsText().handout
  const { url, hasFailed, onError } = useLastingUrl(presentation.file_url)
  const { handout_id: handoutId, content_type: kind } = presentation
  const name = titleOf(presentation) ?? text.untitled
  if (hasFailed) return <p className={styles.broken}>{text.cannotShow}</p>
  const shown = { ...stage, handoutId, url, name, onError }
  if (kind === 'image') return <SharedImage {...shown} />
  return <SharedVideo {...shown} playback={presentation.playback} />
}

interface SharedImageProps extends SightProps {
  handoutId: string
  url: string
  name: string
  onError: () => void
}

/** An image that everybody may enlarge and a moderator may point at. */
function SharedImage(props: SharedImageProps) {
  const { handoutId, url, name, canModerate, pointer, onShape, onError } = props
  const {
    layer,
    button,
    onShape: onPointedShape,
  } = usePointer({
    channel: pointer,
    handoutId,
    canModerate,
  })
  return (
    <Zoomable tools={button}>
      <img
        className={styles.sight}
        src={url}
        alt={name}
        onError={onError}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          if (naturalHeight === 0) return
          onPointedShape(naturalWidth / naturalHeight)
          onShape(naturalWidth / naturalHeight)
        }}
      />
      {layer}
    </Zoomable>
  )
}

/** A service of the previous release sends no title. */
function titleOf({ title }: Shown): string | null {
  return title ?? null
}
