import { useState } from 'react'
import { Group } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { copyText } from '../../design/copy-text.ts'
import { timecode } from '../../i18n/times.ts'
import type { NumberedLine } from '../../player/vtt.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './transcript-panel.module.css'
import { rangeOf } from './transcript-places.ts'

interface SelectedLinesProps {
  lines: readonly NumberedLine[]
  /** Null for lines that cannot be corrected. */
  onCorrect: (() => void) | null
}

/** The actions for the selected lines. Their times are the range, exactly. */
export function SelectedLines({ lines, onCorrect }: SelectedLinesProps) {
  const text = useText().transcript
  const { desk, may } = useStudy()
  const range = rangeOf(lines)
  if (range === null) return null
  return (
    <Group className={styles.selected ?? ''} aria-label={text.selected(lines.length)}>
      <output>
        {text.selectedRange(lines.length, timecode(range.startSec), timecode(range.endSec))}
      </output>
      <CopyLines lines={lines} />
      {onCorrect !== null && (
        <Button size="small" onPress={onCorrect}>
          {text.correct}
        </Button>
      )}
      {may('comment') && (
        <Button
          size="small"
          onPress={() => {
            const { asked } = desk.get()
            desk.set({ range, tab: 'comments', asked: { ...asked, comment: asked.comment + 1 } })
          }}
        >
          {text.commentOn}
        </Button>
      )}
      {may('clip') && (
        <Button size="small" look="primary" onPress={() => desk.set({ range, tab: 'clips' })}>
          {text.makeClip}
        </Button>
      )}
    </Group>
  )
}

function CopyLines({ lines }: { lines: readonly NumberedLine[] }) {
  const text = useText().transcript
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  const label = isCopied === null ? text.copy : isCopied ? text.copied : text.notCopied
  return (
    <Button size="small" onPress={() => void copyText(written(lines)).then(setIsCopied)}>
      {label}
    </Button>
  )
}

/** `[1:02] Sato: words`, one line each. */
function written(lines: readonly NumberedLine[]): string {
  return lines
    .map(({ startSec, speaker, text }) => {
      const who = speaker === null ? '' : `${speaker}: `
      return `[${timecode(startSec)}] ${who}${text.replaceAll('\n', ' ')}`
    })
    .join('\n')
}
