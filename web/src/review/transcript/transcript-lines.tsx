import {
  createContext,
  type PointerEvent,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  ListBox,
  ListBoxItem,
  ListLayout,
  type PressEvent,
  type Selection,
  Virtualizer,
} from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { markedPieces } from '../../design/marked-pieces.ts'
import { timecode } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import type { NumberedLine } from '../../player/vtt.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './transcript-lines.module.css'
import { lineAt } from './transcript-places.ts'

interface TranscriptLinesProps {
  lines: readonly NumberedLine[]
  /** Words to mark. */
  words: string
  onSelect: (lines: readonly NumberedLine[]) => void
}

/** Read by each line, so that another search draws only the lines in sight. */
const WordsContext = createContext('')
const LinesContext = createContext<readonly NumberedLine[]>([])
const SCROLLING_KEYS = /^(?:Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End)$/
/** Lines that are not drawn yet count as this high. */
const ESTIMATED_PX = 60

/**
 * The lines. They follow the video until the reader scrolls. A press on a line seeks, and lines that are selected with Shift or by
 * dragging are a range.
 */
export function TranscriptLines({ lines, words, onSelect }: TranscriptLinesProps) {
  const text = useText().transcript
  const { player } = useStudy()
  const list = useRef<HTMLDivElement>(null)
  const [layout] = useState(() => new ListLayout({ estimatedRowSize: ESTIMATED_PX }))
  const { isFollowing, follow, stop } = useFollowing(lines, list, layout)
  const selection = useSelection(lines, onSelect)
  function seekTo({ startSec }: NumberedLine): void {
    player.seek(startSec)
    follow()
  }
  return (
    <div
      className={styles.frame}
      onWheel={stop}
      onTouchMove={stop}
      onKeyDownCapture={({ key }) => {
        if (SCROLLING_KEYS.test(key)) stop()
      }}
    >
      <WordsContext value={words}>
        <LinesContext value={lines}>
          <Virtualizer layout={layout}>
            <ListBox
              ref={list}
              className={styles.lines ?? ''}
              data-lines
              aria-label={text.lines}
              items={lines}
              selectionMode="multiple"
              selectionBehavior="replace"
              {...selection}
              onAction={(key) => player.seek(lines.find(({ id }) => id === key)?.startSec ?? 0)}
            >
              {(line) => (
                <ListBoxItem
                  textValue={line.text}
                  className={styles.line ?? ''}
                  {...pressesOf(() => seekTo(line))}
                >
                  <Line line={line} />
                </ListBoxItem>
              )}
            </ListBox>
          </Virtualizer>
        </LinesContext>
      </WordsContext>
      {!isFollowing && (
        <div className={styles.back}>
          <Button look="primary" size="small" onPress={follow}>
            {text.backToNow}
          </Button>
        </div>
      )}
    </div>
  )
}

/**
 * A mouse seeks when it goes down: the choice of a line brings its buttons, which may push it from under the pointer before the
 * press ends. A finger may be about to scroll.
 */
function pressesOf(seek: () => void) {
  const seekBy = (isMouse: boolean) => (event: PressEvent) => {
    const { pointerType, shiftKey, ctrlKey, metaKey } = event
    if ((pointerType === 'mouse') === isMouse && !shiftKey && !ctrlKey && !metaKey) seek()
  }
  return { onPressStart: seekBy(true), onPress: seekBy(false) }
}

function Line({ line }: { line: NumberedLine }) {
  const words = use(WordsContext)
  const lines = use(LinesContext)
  const { player, transcripts } = useStudy()
  const isNow = useStore(player.store, ({ sec }) => lines[lineAt(lines, sec)] === line)
  const isSpoken = useStore(player.store, ({ sec }) => sec >= line.startSec && sec < line.endSec)
  const { id, speaker, startSec, text } = line
  const before = lines[lines.indexOf(line) - 1]
  const isSame = before?.speaker === speaker && before?.id === id - 1
  return (
    <span className={styles.content} data-now={isNow} data-spoken={isSpoken} data-id={id}>
      <time>{timecode(startSec)}</time>
      <span>
        {speaker !== null && !isSame && <strong>{speaker}</strong>}
        <span className={styles.words} lang={transcripts.language}>
          {markedPieces(text, words).map((piece, at) =>
            piece.isHit ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
          )}
        </span>
      </span>
    </span>
  )
}

/** Keeps the current line in sight until the reader scrolls. */
function useFollowing(
  lines: readonly NumberedLine[],
  list: RefObject<HTMLDivElement | null>,
  layout: ListLayout<unknown>,
) {
  const { player } = useStudy()
  const [isFollowing, setIsFollowing] = useState(true)
  const now = useStore(player.store, ({ sec }) => lineAt(lines, sec))
  const id = lines[Math.max(now, 0)]?.id
  useEffect(() => {
    if (!isFollowing || id === undefined) return undefined
    return keepInSight(id, list, layout)
  }, [isFollowing, id, list, layout])
  const stop = useCallback(() => setIsFollowing(false), [])
  const follow = useCallback(() => setIsFollowing(true), [])
  return { isFollowing, follow, stop }
}

/** Lines on the way are only as high as estimated until they are drawn, so it takes some attempts. */
const ATTEMPTS = 4

function keepInSight(
  id: number,
  list: RefObject<HTMLDivElement | null>,
  layout: ListLayout<unknown>,
): () => void {
  let left = ATTEMPTS
  let frame = 0
  const scroll = () => {
    const rect = layout.getLayoutInfo(id)?.rect
    const element = list.current
    if (element !== null && rect !== undefined) {
      const { scrollTop, clientHeight } = element
      const isInSight = rect.y >= scrollTop && rect.maxY <= scrollTop + clientHeight * 0.8
      if (!isInSight) element.scrollTop = Math.max(0, rect.y - clientHeight / 3)
    }
    left -= 1
    if (left > 0) frame = requestAnimationFrame(scroll)
  }
  frame = requestAnimationFrame(scroll)
  return () => cancelAnimationFrame(frame)
}

/** Lines are selected by a press, with Shift, by keys, and by dragging with a mouse. */
function useSelection(
  lines: readonly NumberedLine[],
  onSelect: (lines: readonly NumberedLine[]) => void,
) {
  const [selectedKeys, setSelectedKeys] = useState<Selection>(() => new Set<number>())
  const anchor = useRef<number | null>(null)
  const byId = useMemo(() => new Map(lines.map((line, at) => [line.id, at])), [lines])

  function select(keys: Selection): void {
    setSelectedKeys(keys)
    onSelect(keys === 'all' ? lines : lines.filter(({ id }) => keys.has(id)))
  }

  function onPointerMove(event: PointerEvent): void {
    const at = byId.get(idAt(event))
    if (event.buttons !== 1 || event.pointerType !== 'mouse' || at === undefined) return
    if (anchor.current === null || anchor.current === at) return
    const [from, to] = [anchor.current, at].toSorted((one, other) => one - other)
    select(new Set(lines.slice(from, (to ?? 0) + 1).map(({ id }) => id)))
  }

  return {
    selectedKeys,
    onSelectionChange: select,
    onPointerDownCapture: (event: PointerEvent) => {
      anchor.current = event.shiftKey ? null : (byId.get(idAt(event)) ?? null)
    },
    onPointerMove,
  }
}

function idAt({ target }: PointerEvent): number {
  const line = target instanceof Element ? target.closest('[role=option]') : null
  return Number(line?.querySelector<HTMLElement>('[data-id]')?.dataset['id'] ?? -1)
}
