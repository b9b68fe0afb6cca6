import type { TranscriptionBody } from '@interview-room/contract/recordings.ts'
import type { TranscriptionStatus } from '@interview-room/contract/vocabulary.ts'
import { Badge } from '../../../design/badge.tsx'
import { languageName } from '../../../i18n/language-name.ts'
import { useLocale } from '../../../i18n/language.tsx'
import { usePlayground } from '../playground-context.ts'
import { reasonOfTranscription } from './failure-reasons.ts'
import styles from './recordings.module.css'
import { useReason, useRecordingsText } from './text.ts'

const TONES = {
  sending_request: 'calm',
  processing: 'accent',
  retrying: 'warn',
  done: 'good',
  error: 'danger',
  request_error: 'danger',
} as const satisfies Record<TranscriptionStatus, string>

interface TranscriptListProps {
  transcriptions: readonly TranscriptionBody[]
  shownId: string | null
  onShow: (id: string) => void
}

/** The transcriptions of a recording with their status. A finished one can be shown. */
export function TranscriptList({ transcriptions, shownId, onShow }: TranscriptListProps) {
  const text = useRecordingsText().transcript
  if (transcriptions.length === 0) return <p className={styles.lead}>{text.empty}</p>
  return (
    <ul className={styles.list} aria-label={text.choose}>
      {transcriptions.map((each) => (
        <li key={each.id} className={styles.facts}>
          {each.status === 'done' ? (
            <button
              type="button"
              className={styles.choice}
              aria-pressed={each.id === shownId}
              onClick={() => onShow(each.id)}
            >
              <Title transcription={each} />
            </button>
          ) : (
            <Title transcription={each} />
          )}
          <Badge tone={TONES[each.status]}>{text.status[each.status]}</Badge>
          <Failure transcription={each} />
        </li>
      ))}
    </ul>
  )
}

function Title({ transcription }: { transcription: TranscriptionBody }) {
  const text = useRecordingsText().transcript
  const locale = useLocale()
  const { language, kind, provider } = transcription
  return <span>{text.one(languageName(language, locale), text.kind[kind], provider)}</span>
}

function Failure({ transcription: { id, status } }: { transcription: TranscriptionBody }) {
  const reasonOf = useReason()
  const { delivered } = usePlayground().webhooks
  if (status !== 'error' && status !== 'request_error') return null
  return <span className={styles.problem}>{reasonOf(reasonOfTranscription(delivered, id))}</span>
}
