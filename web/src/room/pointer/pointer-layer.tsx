import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Button } from 'react-aria-components'
import type { PointerChannel } from '../../connection/pointer-channel.ts'
import { useLocale } from '../../i18n/language.tsx'
import { pointerEn } from '../../i18n/pointer-en.ts'
import { type PointerDictionary, pointerJa } from '../../i18n/pointer-ja.ts'
import styles from './pointer-layer.module.css'
import { movedBy, type Place, within } from './pointer-message.ts'
import { PointerTrack } from './pointer-track.ts'

const DICTIONARIES = { ja: pointerJa, en: pointerEn }
const usePointerText = (): PointerDictionary => DICTIONARIES[useLocale()]

/** The step of an arrow key as a share of the picture. Shift uses the larger one. */
const STEP = 0.02
const LARGE_STEP = 0.1
const ARROWS: Record<string, readonly [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const MIDDLE = { x: 0.5, y: 0.5 }

export interface PointerLayerProps {
  channel: PointerChannel
  handoutId: string
  /** Width / height of the picture below. */
  shape: number
  /** True if the person at this page is pointing. */
  isPointing: boolean
  onEnd: () => void
}

/** Draws the moderator's pointer over a picture that fits its area. */
export function PointerLayer(props: PointerLayerProps) {
  const { channel, handoutId, shape, isPointing, onEnd } = props
  const text = usePointerText()
  const [track] = useState(() => new PointerTrack(channel, handoutId))
  const place = useSyncExternalStore(track.subscribe, track.getState)
  useEffect(() => track.follow(), [track])
  return (
    <div className={styles.layer}>
      <div className={styles.picture} style={{ '--shape': shape } as CSSProperties}>
        {isPointing && <PointerArea track={track} onEnd={onEnd} />}
        {place !== null && (
          <span
            className={styles.pointer}
            style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
          >
            <span className="visually-hidden">{text.pointer}</span>
          </span>
        )}
      </div>
    </div>
  )
}

/** Follows the pointing person's mouse, finger or arrow keys. */
function PointerArea({ track, onEnd }: { track: PointerTrack; onEnd: () => void }) {
  const text = usePointerText()
  const area = useRef<HTMLDivElement>(null)
  const last = useRef<Place>(MIDDLE)

  function move(place: Place): void {
    last.current = place
    track.move(place)
  }
  useEffect(() => {
    area.current?.focus({ preventScroll: true })
    track.move(MIDDLE)
    return () => track.move(null)
  }, [track])

  function onPointerMove({ clientX, clientY, currentTarget }: PointerEvent): void {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    if (width === 0 || height === 0) return
    move({ x: within((clientX - left) / width), y: within((clientY - top) / height) })
  }
  function onKeyDown(event: KeyboardEvent): void {
    const arrow = ARROWS[event.key]
    if (event.key !== 'Escape' && arrow === undefined) return
    // Otherwise an enlarged picture would scroll, too.
    event.preventDefault()
    event.stopPropagation()
    if (arrow === undefined) return onEnd()
    const step = event.shiftKey ? LARGE_STEP : STEP
    move(movedBy(last.current, arrow[0] * step, arrow[1] * step))
  }

  return (
    /* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- takes the arrow keys, as its label says */
    <div
      ref={area}
      className={styles.area}
      role="application"
      aria-label={text.area}
      tabIndex={0}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onKeyDown={onKeyDown}
    />
  )
}

export interface PointerButtonProps {
  isPointing: boolean
  onChange: (isPointing: boolean) => void
}

/** Starts and stops pointing. */
export function PointerButton({ isPointing, onChange }: PointerButtonProps) {
  const text = usePointerText()
  return (
    <Button
      className={styles.button ?? ''}
      aria-label={text.point}
      aria-pressed={isPointing}
      onPress={() => onChange(!isPointing)}
    >
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M6 3l12 10-5.5.6 3 6.2-2.4 1.2-3-6.3L6 18.5z" fill="currentColor" />
      </svg>
    </Button>
  )
}
