import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { useLocale } from '../../../i18n/language.tsx'
import { pdfEn } from '../../../i18n/pdf-en.ts'
import { type PdfDictionary, pdfJa } from '../../../i18n/pdf-ja.ts'
import { useToolsText } from '../../../i18n/tools-text.ts'
import { useLive } from '../../../live/use-live.tsx'
import { DialogButtons, DialogField } from '../../tools/tool-dialog.tsx'
import { uploadHandout } from '../upload-handout.ts'
import { openPdf } from './open-pdf.ts'
import { PDF_TITLE_MAX } from './page-names.ts'
import styles from './pdf-form.module.css'
import { PDF_PAGES_MAX } from './pdf-limits.ts'
import { type PdfState, PdfUpload } from './pdf-upload.ts'

const DICTIONARIES = { ja: pdfJa, en: pdfEn }

export interface AddFormProps {
  file: File
  /** While it is busy, a press outside of the dialog does not close it. */
  onBusy: (isBusy: boolean) => void
  onDone: () => void
}

/** Adds each page of a PDF to the handouts, and shows the first one. */
export function PdfForm({ file, onBusy, onDone }: AddFormProps) {
  const text: PdfDictionary = DICTIONARIES[useLocale()]
  const { untitled, titleLabel } = useToolsText().handout
  const [title, setTitle] = useState('')
  const { state, upload } = usePdfUpload(file)
  const [isStopping, setIsStopping] = useState(false)
  const isBusy = state.step === 'rendering' || state.step === 'uploading'
  useEffect(() => onBusy(isBusy), [onBusy, isBusy])
  const isShown = state.step === 'done' && state.isShown
  useEffect(() => {
    if (isShown) onDone()
  }, [isShown, onDone])

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setIsStopping(false)
        void upload.current?.add(title.trim() === '' ? untitled : title.trim())
      }}
    >
      <p className={styles.name}>{file.name}</p>
      {state.step === 'ready' && (
        <DialogField
          label={titleLabel}
          hint={text.titleHint}
          value={title}
          maxLength={PDF_TITLE_MAX}
          onChange={setTitle}
        />
      )}
      <Progress state={state} text={text} />
      <News state={state} text={text} />
      <Buttons
        state={state}
        text={text}
        isStopping={isStopping}
        onStop={() => {
          setIsStopping(true)
          upload.current?.stop()
        }}
        onDone={onDone}
      />
    </form>
  )
}

/** The upload of one file, from its choice until the form is closed. */
function usePdfUpload(file: File) {
  const { request } = useLive()
  const [state, setState] = useState<PdfState>({ step: 'opening' })
  const upload = useRef<PdfUpload>(undefined)
  useEffect(() => {
    const begun = new PdfUpload({
      file,
      open: openPdf,
      add: (page) => uploadHandout(request, page),
      show: async (id) => (await request<'showHandout'>('POST', `/handouts/${id}/show`)).ok,
      onChange: setState,
    })
    upload.current = begun
    void begun.open()
    return () => begun.close()
  }, [file, request])
  return { state, upload }
}

interface PartProps {
  state: PdfState
  text: PdfDictionary
}

function Progress({ state, text }: PartProps) {
  const id = useId()
  if (state.step !== 'rendering' && state.step !== 'uploading') return null
  const { step, page, pages } = state
  // Rendering and uploading count as half of the progress each.
  const done = page - 1 + (step === 'uploading' ? pages : 0)
  return (
    <>
      <p id={id}>{text[step](page, pages)}</p>
      <progress
        className={styles.progress}
        aria-label={text.progress}
        aria-describedby={id}
        max={2 * pages}
        value={done}
      />
    </>
  )
}

/** Announcements for screen readers: the changes of what one can do, and not every page. */
function News({ state, text }: PartProps) {
  const { addProblem } = useToolsText().handout
  const problem = problemIn(state, text)
  const why = state.step === 'stopped' && state.problem !== null ? addProblem[state.problem] : null
  return (
    <>
      <output>
        {state.step === 'opening' && <span>{text.opening}</span>}
        {state.step === 'ready' && <span>{text.ready(state.pages)}</span>}
        {state.step === 'stopped' && <span>{text.stopped(state.added, state.pages)}</span>}
      </output>
      {(problem ?? why) !== null && (
        <p className={styles.failed} role="alert">
          {problem ?? why}
        </p>
      )}
    </>
  )
}

function problemIn(state: PdfState, text: PdfDictionary): string | null {
  if (state.step === 'done') return state.isShown ? null : text.notShown
  if (state.step !== 'failed') return null
  const { problem, page, pages } = state
  if (problem === 'tooManyPages') return text.problem.tooManyPages(pages, PDF_PAGES_MAX)
  const words = text.problem[problem]
  return typeof words === 'string' ? words : words(page)
}

interface ButtonsProps extends PartProps {
  isStopping: boolean
  onStop: () => void
  onDone: () => void
}

function Buttons({ state, text, isStopping, onStop, onDone }: ButtonsProps) {
  const { cancel } = useToolsText().handout
  const isBusy = state.step === 'rendering' || state.step === 'uploading'
  const submit = state.step === 'ready' ? text.add : state.step === 'stopped' ? text.resume : null
  return (
    <DialogButtons>
      {isBusy ? (
        <Button key="stop" isDisabled={isStopping} onPress={onStop}>
          {isStopping ? text.stopping : text.stop}
        </Button>
      ) : (
        <Button key="close" onPress={onDone}>
          {state.step === 'opening' || state.step === 'ready' ? cancel : text.close}
        </Button>
      )}
      {submit !== null && (
        <Button look="primary" type="submit">
          {submit}
        </Button>
      )}
    </DialogButtons>
  )
}
