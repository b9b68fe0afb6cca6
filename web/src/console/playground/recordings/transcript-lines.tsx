import { useEffect, useRef } from 'react'
import { durationText } from '../../../i18n/times.ts'
import { useRecordingsText } from './text.ts'
import styles from './transcript-lines.module.css'
import type { Line, Transcript } from './use-transcript.ts'

interface TranscriptLinesProps {
  transcript: Pick<Transcript, 'lines' | 'hasFailed' | 'active'>
  /** Null if there is no single video to seek in. */
  onSeek: ((sec: number) => void) | null
}

/** The lines of the transcript. The line that is being spoken is marked and scrolled into view. */
export function TranscriptLines({ transcript, onSeek }: TranscriptLinesProps) {
  const text = useRecordingsText().transcript
  const { lines, hasFailed, active } = transcript
  const list = useRef<HTMLOListElement>(null)
  const first = Math.min(...active)

  useEffect(() => {
    const line = list.current?.children[first]
    if (line instanceof HTMLElement) keepInSight(line)
  }, [first])

  if (hasFailed) return <p role="alert">{text.unreadable}</p>
  if (lines === null) return <p className={styles.note}>{text.loading}</p>
  if (lines.length === 0) return <p className={styles.note}>{text.silent}</p>
  return (
    <ol
      ref={list}
      className={styles.lines}
      aria-label={onSeek === null ? text.individualLines : text.lines}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without buttons in it only the keyboard's focus can scroll it
      {...(onSeek === null && { tabIndex: 0 })}
    >
      {lines.map((line, place) => (
        <li key={`${line.startSec} ${line.text}`} aria-current={active.has(place)}>
          {onSeek === null ? (
            <LineText line={line} />
          ) : (
            <button type="button" onClick={() => onSeek(line.startSec)}>
              <LineText line={line} />
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}

function LineText({ line: { startSec, speaker, text } }: { line: Line }) {
  return (
    <>
      <time>{durationText(Math.floor(startSec))}</time>
      <span>
        {speaker !== null && <strong>{speaker}</strong>} <span>{text}</span>
      </span>
    </>
  )
}

/** Scrolls only the list; the page stays where its reader has put it. */
function keepInSight(line: HTMLElement): void {
  const list = line.parentElement
  if (list === null) return
  const isAbove = line.offsetTop < list.scrollTop
  const isBelow = line.offsetTop + line.offsetHeight > list.scrollTop + list.clientHeight
  if (isAbove || isBelow) list.scrollTop = line.offsetTop - list.clientHeight / 3
}
