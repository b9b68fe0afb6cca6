import { DEFAULT_ENGINE } from '@interview-room/contract/limits.ts'
import { TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import { useState } from 'react'
import { Checkbox } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { IconButton } from '../../design/icon-button.tsx'
import { PageDialog } from '../../design/page-dialog.tsx'
import { PlusIcon } from '../../design/player-icons.tsx'
import { Select } from '../../design/select.tsx'
import { languageName } from '../../i18n/language-name.ts'
import { useLocale } from '../../i18n/language.tsx'
import { useAction } from '../../pages/use-action.ts'
import { Problem } from '../problem.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './ask-transcription.module.css'

/** Starts another transcription, for staff. */
export function AskTranscription() {
  const text = useText()
  const [isOpen, setIsOpen] = useState(false)
  const { api, review, recording, transcripts } = useStudy()
  const [language, setLanguage] = useState(review.transcription_languages[0] ?? '')
  const [engine, setEngine] = useState<string>(DEFAULT_ENGINE)
  const [translate, setTranslate] = useState(false)
  const { isBusy, error, run } = useAction()

  async function submit(): Promise<void> {
    const provider = TRANSCRIPTION_ENGINES.find((each) => each === engine) ?? DEFAULT_ENGINE
    const isStarted = await run(async () => {
      await api.transcribe(recording.id, { language, provider, translate })
      await transcripts.list.reload()
    })
    if (isStarted) setIsOpen(false)
  }

  return (
    <>
      <IconButton label={text.transcript.ask} icon={<PlusIcon />} onPress={() => setIsOpen(true)} />
      <PageDialog
        title={text.transcript.ask}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        buttons={
          <>
            <Button onPress={() => setIsOpen(false)}>{text.cancel}</Button>
            <Button look="primary" isPending={isBusy} onPress={() => void submit()}>
              {text.transcript.submit}
            </Button>
          </>
        }
      >
        <Languages value={language} onChange={setLanguage} />
        <Select
          label={text.transcript.engine}
          options={TRANSCRIPTION_ENGINES.map((id) => ({ id, label: id }))}
          value={engine}
          placeholder=""
          onChange={setEngine}
        />
        <Checkbox className={styles.check ?? ''} isSelected={translate} onChange={setTranslate}>
          <span className={styles.box} aria-hidden="true" />
          <span>{text.transcript.translate}</span>
        </Checkbox>
        <Problem error={error} />
      </PageDialog>
    </>
  )
}

function Languages({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const text = useText().transcript
  const locale = useLocale()
  const { review } = useStudy()
  return (
    <Select
      label={text.language}
      options={review.transcription_languages.map((id) => ({
        id,
        label: languageName(id, locale),
      }))}
      value={value}
      placeholder=""
      onChange={onChange}
    />
  )
}
