import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '../../design/icon-button.tsx'
import { ChevronIcon, CloseIcon } from '../../design/icons.tsx'
import { folded } from '../../design/marked-pieces.ts'
import { useStore } from '../../pages/store.ts'
import type { NumberedLine } from '../../player/vtt.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './search-lines.module.css'
import { hitsOf } from './transcript-places.ts'

interface SearchLinesProps {
  lines: readonly NumberedLine[]
  words: string
  onWords: (words: string) => void
}

/** Finds words in the lines. Enter goes to the next one, and Shift + Enter to the one before. */
export function SearchLines({ lines, words, onWords }: SearchLinesProps) {
  const text = useText().transcript
  const { desk } = useStudy()
  const asked = useStore(desk, (state) => state.asked.search)
  const field = useRef<HTMLInputElement>(null)
  const hits = useHits(lines, words)
  useEffect(() => {
    if (asked > 0) field.current?.select()
  }, [asked])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') hits.go(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') onWords('')
  }

  return (
    <search className={styles.search}>
      <input
        ref={field}
        type="text"
        inputMode="search"
        value={words}
        placeholder={text.search}
        aria-label={text.search}
        autoComplete="off"
        onChange={({ target }) => onWords(target.value)}
        onKeyDown={onKeyDown}
      />
      {words !== '' && (
        <>
          <output className={styles.count}>{hits.said}</output>
          <span className={styles.up}>
            <IconButton
              label={text.previousHit}
              icon={<ChevronIcon />}
              isDisabled={hits.isEmpty}
              onPress={() => hits.go(-1)}
            />
          </span>
          <IconButton
            label={text.nextHit}
            icon={<ChevronIcon />}
            isDisabled={hits.isEmpty}
            onPress={() => hits.go(1)}
          />
          <IconButton label={text.clear} icon={<CloseIcon />} onPress={() => onWords('')} />
        </>
      )}
    </search>
  )
}

function useHits(lines: readonly NumberedLine[], words: string) {
  const text = useText().transcript
  const { desk, player } = useStudy()
  const texts = useMemo(() => lines.map((line) => folded(line.text)), [lines])
  const found = useMemo(
    () => hitsOf(texts, words).flatMap((at) => lines[at] ?? []),
    [lines, texts, words],
  )
  const [at, setAt] = useState(-1)
  useEffect(() => {
    desk.set({ hits: found.map(({ startSec }) => startSec) })
    return () => desk.set({ hits: [] })
  }, [desk, found])
  // The first hit of other words is the one after the position.
  const [last, setLast] = useState(found)
  if (last !== found) {
    setLast(found)
    setAt(-1)
  }

  function go(step: 1 | -1): void {
    const { sec } = player.store.get()
    const fresh =
      step > 0
        ? found.findIndex(({ startSec }) => startSec >= sec)
        : found.findLastIndex(({ startSec }) => startSec < sec)
    const next = at === -1 ? Math.max(fresh, 0) : (at + step + found.length) % found.length
    const line = found[next]
    if (line === undefined) return
    setAt(next)
    player.seek(line.startSec)
  }
  const said = at === -1 ? text.found(found.length) : text.foundAt(at + 1, found.length)
  return { go, said, isEmpty: found.length === 0 }
}
