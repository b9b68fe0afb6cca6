import { memo, useMemo, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { folded, markedPieces } from '../../design/marked-pieces.ts'
import { useCaptionsText } from '../../i18n/captions-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { textIn, type Utterance } from '../../live/utterances.ts'
import { useScroll } from '../chat/use-scroll.ts'
import { LanguageChoice } from './caption-menu.tsx'
import styles from './transcript-panel.module.css'
import type { CaptionChoice } from './use-caption-choice.ts'

/** The words of everybody, from the first one on, to read along and to search in. Panelists never see it. */
export function TranscriptPanel({ choice, isOpen }: { choice: CaptionChoice; isOpen: boolean }) {
  const text = useCaptionsText().transcript
  const [words, setWords] = useState('')
  return (
    <section className={styles.transcript} aria-label={text.title}>
      <header>
        <h2>{text.title}</h2>
        <p>{text.lead}</p>
      </header>
      <div className={styles.tools}>
        <input
          type="search"
          value={words}
          placeholder={text.search}
          aria-label={text.search}
          autoComplete="off"
          onChange={({ target }) => setWords(target.value)}
        />
        <LanguageChoice choice={choice} />
      </div>
      {/* A closed panel does not draw three times a second. */}
      {isOpen && <Lines language={choice.language} words={words.trim()} />}
    </section>
  )
}

interface LinesProps {
  language: string | null
  words: string
}

function Lines({ language, words }: LinesProps) {
  const text = useCaptionsText().transcript
  const utterances = useLiveState((state) => state.utterances)
  const found = useMemo(
    () => utterances.filter((each) => contains(each, { language, words })),
    [utterances, language, words],
  )
  const { box, list, isAway, onScroll, toEnd } = useScroll({
    isOpen: true,
    firstId: found[0]?.segment,
    lastId: found.at(-1)?.segment,
    ownId: undefined,
    hasMore: false,
    loadOlder: () => {},
  })
  return (
    <div className={styles.frame}>
      <output className={styles.count}>{words !== '' && text.found(found.length)}</output>
      <div
        role="log"
        aria-live="off"
        className={styles.scroll}
        ref={box}
        onScroll={onScroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label={text.title}
      >
        {found.length === 0 && (
          <p className={styles.empty}>{words === '' ? text.empty : text.nothing}</p>
        )}
        <ol className={styles.list} ref={list}>
          {found.map((utterance) => (
            <Line key={utterance.segment} utterance={utterance} language={language} words={words} />
          ))}
        </ol>
      </div>
      {isAway && (
        <div className={styles.below}>
          <Button look="primary" size="small" onPress={toEnd}>
            {text.toEnd} ↓
          </Button>
        </div>
      )}
    </div>
  )
}

interface LineProps extends LinesProps {
  utterance: Utterance
}

/** Drawn again only when its own text changes: a long interview has thousands of lines. */
const Line = memo(({ utterance, language, words }: LineProps) => {
  const spoken = textIn(utterance, language)
  if (spoken === null) return null
  const at = new Date(utterance.atMs)
  return (
    <li data-final={spoken.isFinal}>
      <p className={styles.from}>
        <bdi>{utterance.name}</bdi>{' '}
        <time dateTime={at.toISOString()}>{at.toLocaleTimeString('en-GB')}</time>
      </p>
      <p lang={spoken.language} dir="auto">
        {markedPieces(spoken.text, words).map((piece, index) =>
          piece.isHit ? (
            <mark key={index}>{piece.text}</mark>
          ) : (
            <span key={index}>{piece.text}</span>
          ),
        )}
      </p>
    </li>
  )
})

function contains(utterance: Utterance, { language, words }: LinesProps): boolean {
  const spoken = textIn(utterance, language)
  if (spoken === null) return false
  return words === '' || folded(`${utterance.name} ${spoken.text}`).includes(folded(words))
}
