import { DEFAULT_ENGINE } from '@interview-room/contract/limits.ts'
import { TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import { useState } from 'react'
import {
  Checkbox,
  Dialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { Select } from '../../design/select.tsx'
import { languageName } from '../../i18n/language-name.ts'
import { useLocale } from '../../i18n/language.tsx'
import { PlusIcon } from '../icons.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import { useAction } from '../use-action.ts'
import styles from './ask-transcription.module.css'

/** Starts another transcription, for staff. */
export function AskTranscription() {
  const text = useText().transcript
  return (
    <DialogTrigger>
      <Button size="small" look="quiet" aria-label={text.ask}>
        <PlusIcon />
      </Button>
      <ModalOverlay className={styles.overlay ?? ''} isDismissable>
        <Modal className={styles.modal ?? ''}>
          <Dialog className={styles.dialog ?? ''}>{({ close }) => <Order onDone={close} />}</Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}

function Order({ onDone }: { onDone: () => void }) {
  const text = useText()
  const { transcript } = text
  const locale = useLocale()
  const { api, review, recording, transcripts } = useStudy()
  const languages = review.transcription_languages
  const [language, setLanguage] = useState(languages[0] ?? '')
  const [engine, setEngine] = useState<string>(DEFAULT_ENGINE)
  const [translate, setTranslate] = useState(false)
  const { isBusy, problem, run } = useAction()

  async function submit(): Promise<void> {
    const provider = TRANSCRIPTION_ENGINES.find((each) => each === engine) ?? DEFAULT_ENGINE
    const isStarted = await run(async () => {
      await api.transcribe(recording.id, { language, provider, translate })
      await transcripts.list.reload()
    })
    if (isStarted) onDone()
  }

  return (
    <>
      <Heading slot="title" level={2}>
        {transcript.ask}
      </Heading>
      <Select
        label={transcript.language}
        options={languages.map((id) => ({ id, label: languageName(id, locale) }))}
        value={language}
        placeholder=""
        onChange={setLanguage}
      />
      <Select
        label={transcript.engine}
        options={TRANSCRIPTION_ENGINES.map((id) => ({ id, label: id }))}
        value={engine}
        placeholder=""
        onChange={setEngine}
      />
      <Checkbox className={styles.check ?? ''} isSelected={translate} onChange={setTranslate}>
        <span className={styles.box} aria-hidden="true" />
        <span>{transcript.translate}</span>
      </Checkbox>
      {problem !== null && <p role="alert">{text.problems[problem]}</p>}
      <div className={styles.buttons}>
        <Button onPress={onDone}>{text.cancel}</Button>
        <Button look="primary" isPending={isBusy} onPress={() => void submit()}>
          {transcript.submit}
        </Button>
      </div>
    </>
  )
}
