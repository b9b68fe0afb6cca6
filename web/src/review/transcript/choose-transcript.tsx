import type { TranscriptionBody } from '@interview-room/contract/recordings.ts'
import { SPEAKER_LABELS, TRANSCRIPT_FORMATS } from '@interview-room/contract/transcripts.ts'
import { ChoiceMenu } from '../../design/choice-menu.tsx'
import { languageName } from '../../i18n/language-name.ts'
import { useLocale } from '../../i18n/language.tsx'
import { DownloadMenu } from '../download-button.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { AskTranscription } from './ask-transcription.tsx'
import styles from './transcript-panel.module.css'

/** The transcriptions by language and engine. Unfinished ones say how far they are. */
export function ChooseTranscript() {
  const text = useText().transcript
  const { transcripts, may } = useStudy()
  const { list, shown, show } = transcripts
  const titleOf = useTitle()
  const all = list.data ?? []
  const done = all.filter(({ status }) => status === 'done')
  const others = all.filter(({ status }) => status !== 'done')
  return (
    <>
      <div className={styles.choice}>
        {shown !== null && (
          <ChoiceMenu
            label={text.choose}
            value={shown.id}
            options={done.map((each) => ({ id: each.id, label: titleOf(each) }))}
            onChoose={show}
          />
        )}
        {shown !== null && <SaveTranscript id={shown.id} />}
        {may('staff') && <AskTranscription />}
      </div>
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map((each) => (
            <li key={each.id}>{`${titleOf(each)}: ${text.status[each.status]}`}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The transcript as a file, by name or by role. */
function SaveTranscript({ id }: { id: string }) {
  const text = useText().transcript
  const { api } = useStudy()
  const items = SPEAKER_LABELS.flatMap((speakers) =>
    TRANSCRIPT_FORMATS.map((format) => ({
      id: `format=${format}&speakers=${speakers}`,
      label: text.file(text.formats[format], text.speakers[speakers]),
    })),
  )
  return (
    <DownloadMenu
      label={text.saveAs}
      items={items}
      issue={async (query) => api.transcriptUrl(id, query)}
    />
  )
}

function useTitle() {
  const text = useText().transcript
  const locale = useLocale()
  return ({ language, kind, provider }: TranscriptionBody) =>
    text.one(languageName(language, locale), text.kind[kind], provider)
}
