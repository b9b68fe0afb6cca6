import { useMemo, useState } from 'react'
import { useStore } from '../../pages/store.ts'
import panel from '../panel.module.css'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { ChoosePerson } from './choose-person.tsx'
import { ChooseTranscript } from './choose-transcript.tsx'
import { OtherRecordings } from './other-recordings.tsx'
import { SearchLines } from './search-lines.tsx'
import { SelectedLines } from './selected-lines.tsx'
import { TranscriptLines } from './transcript-lines.tsx'
import type { NumberedLine, TranscriptLine } from './vtt.ts'

const NO_LINES: readonly TranscriptLine[] = []

/** The transcript beside the video. */
export function TranscriptPanel() {
  const { transcripts, desk, searched } = useStudy()
  const voices = useStore(desk, (state) => state.voices)
  const [words, setWords] = useState(searched)
  const [selected, setSelected] = useState<readonly NumberedLine[]>([])
  const all = transcripts.lines.data ?? NO_LINES
  const lines = useMemo(
    () =>
      all
        .map((line, id): NumberedLine => ({ ...line, id }))
        .filter(({ speaker }) => voices === null || voices.names.includes(speaker ?? '')),
    [all, voices],
  )
  return (
    <div className={panel.panel}>
      <div className={panel.tools}>
        <ChooseTranscript />
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
          key={`${transcripts.shown?.id} ${voices?.id}`}
          lines={lines}
          words={words}
          onSelect={setSelected}
        />
      ) : (
        <Empty isRead={transcripts.lines.data !== undefined} />
      )}
      {selected.length > 0 && <SelectedLines lines={selected} />}
    </div>
  )
}

function Empty({ isRead }: { isRead: boolean }) {
  const text = useText().transcript
  const { list, lines, shown } = useStudy().transcripts
  const isAtWork = (list.data ?? []).some(
    ({ status }) =>
      status === 'sending_request' || status === 'processing' || status === 'retrying',
  )
  const hasFailed = list.hasFailed || (shown !== null && lines.hasFailed)
  const said = [
    { words: text.unreadable, isSo: hasFailed },
    { words: text.silent, isSo: isRead },
    { words: text.loading, isSo: list.data === undefined || shown !== null },
    { words: text.atWork, isSo: isAtWork },
    { words: text.none, isSo: true },
  ].find(({ isSo }) => isSo)
  return <output className={panel.empty}>{said?.words}</output>
}
