import { useMemo, useRef, useState } from 'react'
import { useFocusKept } from '../../design/use-focus-kept.ts'
import { useStore } from '../../pages/store.ts'
import type { NumberedLine, TranscriptLine } from '../../player/vtt.ts'
import panel from '../panel.module.css'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { ChoosePerson } from './choose-person.tsx'
import { ChooseTranscript } from './choose-transcript.tsx'
import { EditLine, ReplaceWords } from './correct-lines.tsx'
import { OtherRecordings } from './other-recordings.tsx'
import { SearchLines } from './search-lines.tsx'
import { SelectedLines } from './selected-lines.tsx'
import { TranscriptLines } from './transcript-lines.tsx'
import styles from './transcript-panel.module.css'

const NO_LINES: readonly TranscriptLine[] = []

/** The transcript beside the video. */
export function TranscriptPanel() {
  const text = useText().transcript
  const { transcripts, desk, searched } = useStudy()
  const voices = useStore(desk, (state) => state.voices)
  const [words, setWords] = useState(searched)
  const [edited, setEdited] = useState<(NumberedLine & { of: string | undefined }) | null>(null)
  const root = useRef<HTMLDivElement>(null)
  useFocusKept(root, (element) => element.querySelector<HTMLElement>('[data-lines]'))
  const all = transcripts.lines.data ?? NO_LINES
  const lines = useMemo(
    () =>
      all
        .map((line, id): NumberedLine => ({ ...line, id }))
        .filter(({ speaker }) => voices === null || voices.names.includes(speaker ?? '')),
    [all, voices],
  )
  const of = transcripts.isLive ? 'live' : transcripts.shown?.id
  const [chosen, select] = useChosen(lines, of)
  const [one = null] = transcripts.revision !== null && chosen.length === 1 ? chosen : []
  const edit = one && (() => setEdited({ ...one, of }))
  return (
    <div
      ref={root}
      className={panel.panel}
      onKeyDownCapture={({ key }) => {
        if (key === 'F2') edit?.()
      }}
    >
      <div className={panel.tools}>
        <ChooseTranscript />
        {transcripts.isLive && <p className={styles.note}>{text.live}</p>}
        {lines.length + all.length > 0 && (
          <>
            <ChoosePerson lines={all} />
            <SearchLines lines={lines} words={words} onWords={setWords} />
          </>
        )}
        <OtherRecordings words={words} />
      </div>
      {lines.length > 0 ? (
        <TranscriptLines
          // Another transcript or other voices are another list, with nothing selected.
          key={`${of} ${voices?.id}`}
          lines={lines}
          words={words}
          onSelect={select}
        />
      ) : (
        <Empty />
      )}
      {words.trim() !== '' && transcripts.revision !== null && <ReplaceWords words={words} />}
      {edited !== null && edited.of === of ? (
        <EditLine line={edited} onClose={() => setEdited(null)} />
      ) : (
        chosen.length > 0 && <SelectedLines lines={chosen} onCorrect={edit} />
      )}
    </div>
  )
}

/** The chosen lines of this transcript. They are others after a correction, and none when a transcript takes the place of live text. */
function useChosen(lines: readonly NumberedLine[], of: string | undefined) {
  const [chosen, setChosen] = useState<{ ids: readonly number[]; of?: string | undefined }>({
    ids: [],
  })
  const ids = chosen.of === of ? chosen.ids : []
  return [
    ids.flatMap((id) => lines.find((line) => line.id === id) ?? []),
    (some: readonly NumberedLine[]) => setChosen({ ids: some.map(({ id }) => id), of }),
  ] as const
}

function Empty() {
  const text = useText().transcript
  const { list, lines, shown } = useStudy().transcripts
  const isAtWork = (list.data ?? []).some(
    ({ status }) =>
      status === 'sending_request' || status === 'processing' || status === 'retrying',
  )
  const hasFailed = list.hasFailed || (shown !== null && lines.hasFailed)
  const isLoading = list.data === undefined || (lines.data === undefined && !lines.hasFailed)
  const said = [
    { words: text.unreadable, isSo: hasFailed },
    { words: text.silent, isSo: lines.data != null },
    { words: text.loading, isSo: isLoading },
    { words: text.atWork, isSo: isAtWork },
    { words: text.none, isSo: true },
  ].find(({ isSo }) => isSo)
  return <output className={panel.empty}>{said?.words}</output>
}
