import {
  DEFAULT_ENGINE,
  DEFAULT_LANGUAGE,
  TRANSCRIPTION_LANGUAGES,
} from '@interview-room/contract/limits.ts'
import {
  TRANSCRIPTION_ENGINES,
  type TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import { useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { languageName } from '../../../i18n/language-name.ts'
import { useLocale } from '../../../i18n/language.tsx'
import { ConsoleError } from '../../console-api.ts'
import { useAction } from '../../use-action.ts'
import { SelectField } from '../fields.tsx'
import { useTenantApi } from '../tenant-api.ts'
import styles from './recordings.module.css'
import { useRecordingsText } from './text.ts'
import { useEngineOptions } from './use-engine-options.ts'

interface AskTranscriptionProps {
  recordingId: string
  onAsked: () => void
}

interface Order {
  language: string
  provider: TranscriptionEngine
  translate: boolean
}

const ORDER: Order = { language: DEFAULT_LANGUAGE, provider: DEFAULT_ENGINE, translate: false }

/** Asks for another transcription of a recording. */
export function AskTranscription({ recordingId, onAsked }: AskTranscriptionProps) {
  const text = useRecordingsText()
  const { transcript } = text
  const [order, setOrder] = useState(ORDER)
  const tenant = useTenantApi()
  const { isBusy, error, run } = useAction()
  const isInProgress = error instanceof ConsoleError && error.code === 'TRANSCRIPTION_IN_PROGRESS'

  async function submit(): Promise<void> {
    await run(async () => {
      await tenant.transcribe(recordingId, order)
    })
    onAsked()
  }

  return (
    <details className={styles.ask}>
      <summary>{transcript.ask}</summary>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <OrderFields
          order={order}
          onChange={(change) => setOrder((before) => ({ ...before, ...change }))}
        />
        <Button type="submit" isPending={isBusy}>
          {isBusy ? transcript.submitting : transcript.submit}
        </Button>
        {error !== null && (
          <p role="alert">{isInProgress ? transcript.inProgress : text.refused}</p>
        )}
      </form>
    </details>
  )
}

const engineOf = (value: string) => TRANSCRIPTION_ENGINES.find((each) => each === value)

interface OrderFieldsProps {
  order: Order
  onChange: (change: Partial<Order>) => void
}

function OrderFields({ order, onChange }: OrderFieldsProps) {
  const text = useRecordingsText().transcript
  const locale = useLocale()
  const engines = useEngineOptions()
  return (
    <>
      <SelectField
        label={text.language}
        value={order.language}
        options={TRANSCRIPTION_LANGUAGES.map((code) => [code, languageName(code, locale)])}
        onChange={(language) => onChange({ language })}
      />
      <SelectField
        label={text.engine}
        value={order.provider}
        options={engines}
        onChange={(value) => onChange({ provider: engineOf(value) ?? DEFAULT_ENGINE })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={order.translate}
          onChange={(event) => onChange({ translate: event.target.checked })}
        />
        {text.translate}
      </label>
    </>
  )
}
