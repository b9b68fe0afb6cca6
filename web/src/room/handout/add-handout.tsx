import {
  HANDOUT_IMAGE_EXTENSIONS,
  HANDOUT_TITLE_MAX,
  HANDOUT_VIDEO_EXTENSIONS,
} from '@interview-room/contract/limits.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { loadedLater } from '../../design/loaded-later.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { DialogButtons, DialogField, ToolDialog } from '../tools/tool-dialog.tsx'
import styles from './handout-panel.module.css'
import type { AddFormProps } from './pdf/pdf-form.tsx'
import { type AddProblem, uploadHandout } from './upload-handout.ts'

const ACCEPTED = [...HANDOUT_IMAGE_EXTENSIONS, ...HANDOUT_VIDEO_EXTENSIONS, 'pdf'].map(
  (extension) => `.${extension}`,
)

/** Loads pdf.js together with the form, which most rooms never need. */
const PdfForm = loadedLater<AddFormProps>(async () => (await import('./pdf/pdf-form.tsx')).PdfForm)

/** Adds a local file to the handouts. Nobody sees it until it is shown. */
export function AddHandout() {
  const text = useToolsText().handout
  const [file, setFile] = useState<File | null>(null)
  const isBusy = useRef(false)
  const onBusy = useCallback((busy: boolean) => {
    isBusy.current = busy
  }, [])
  const onDone = useCallback(() => setFile(null), [])
  return (
    <div className={styles.add}>
      <FileTrigger
        acceptedFileTypes={ACCEPTED}
        onSelect={(files) => setFile(files?.item(0) ?? null)}
      >
        <Button size="small">{text.add}</Button>
      </FileTrigger>
      <ToolDialog
        title={text.addTitle}
        isOpen={file !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen && !isBusy.current) setFile(null)
        }}
      >
        {file !== null && <AnyForm file={file} onBusy={onBusy} onDone={onDone} />}
      </ToolDialog>
    </div>
  )
}

function AnyForm(props: AddFormProps) {
  const text = useToolsText().handout
  if (!/\.pdf$/i.test(props.file.name)) return <AddForm {...props} />
  return (
    <PdfForm {...props}>
      {(hasFailed) => (
        <>
          <p role={hasFailed ? 'alert' : 'status'}>{hasFailed ? text.failed : text.loading}</p>
          <DialogButtons>
            <Button onPress={props.onDone}>{text.cancel}</Button>
          </DialogButtons>
        </>
      )}
    </PdfForm>
  )
}

function AddForm({ file, onBusy, onDone }: AddFormProps) {
  const text = useToolsText().handout
  const { request } = useLive()
  const [title, setTitle] = useState('')
  const [upload, setUpload] = useState<AbortController | null>(null)
  const [problem, setProblem] = useState<AddProblem | null>(null)
  const isAdding = upload !== null
  useEffect(() => onBusy(isAdding), [onBusy, isAdding])
  // Any way of closing the form cancels the upload.
  useEffect(() => () => upload?.abort(), [upload])

  async function add(): Promise<void> {
    // Enter submits a form even while its button is pending.
    if (isAdding) return
    const begun = new AbortController()
    setUpload(begun)
    const { signal: cancelled } = begun
    const added = await uploadHandout(request, { file, title: title.trim(), cancelled })
    if (cancelled.aborted) return
    setUpload(null)
    if ('problem' in added) setProblem(added.problem)
    else onDone()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <p>{file.name}</p>
      <DialogField
        label={text.titleLabel}
        hint={text.titleHint}
        value={title}
        maxLength={HANDOUT_TITLE_MAX}
        onChange={setTitle}
      />
      {problem !== null && (
        <p className={styles.failed} role="alert">
          {text.addProblem[problem]}
        </p>
      )}
      <DialogButtons>
        <Button onPress={onDone}>{text.cancel}</Button>
        <Button look="primary" type="submit" isPending={isAdding}>
          {isAdding ? text.adding : text.addConfirm}
        </Button>
      </DialogButtons>
    </form>
  )
}
