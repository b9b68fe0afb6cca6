import {
  HANDOUT_IMAGE_EXTENSIONS,
  HANDOUT_TITLE_MAX,
  HANDOUT_VIDEO_EXTENSIONS,
} from '@interview-room/contract/limits.ts'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import type { LiveRequest } from '../../live/live-request.ts'
import { useLive } from '../../live/use-live.tsx'
import { DialogButtons, DialogField, ToolDialog } from '../tools/tool-dialog.tsx'
import { type AddProblem, problemOf } from './add-problem.ts'
import styles from './handout-panel.module.css'

const ACCEPTED = [...HANDOUT_IMAGE_EXTENSIONS, ...HANDOUT_VIDEO_EXTENSIONS].map(
  (extension) => `.${extension}`,
)

/** Adds a file of this machine to the handouts. Nobody sees it before it is shown. */
export function AddHandout() {
  const text = useToolsText().handout
  const [file, setFile] = useState<File | null>(null)
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
          if (!isOpen) setFile(null)
        }}
      >
        {file !== null && <AddForm file={file} onDone={() => setFile(null)} />}
      </ToolDialog>
    </div>
  )
}

function AddForm({ file, onDone }: { file: File; onDone: () => void }) {
  const text = useToolsText().handout
  const { request } = useLive()
  const [title, setTitle] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const [problem, setProblem] = useState<AddProblem | null>(null)

  async function add(): Promise<void> {
    setIsAdding(true)
    const why = await upload(request, { file, title: title.trim() })
    setIsAdding(false)
    setProblem(why)
    if (why === null) onDone()
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

/** Answers why it was not added; null when it was. */
async function upload(
  request: LiveRequest,
  { file, title }: { file: File; title: string },
): Promise<AddProblem | null> {
  const form = new FormData()
  if (title !== '') form.set('title', title)
  form.set('file', file)
  const answer = await request<'addHandoutInRoom'>('POST', '/handouts', form)
  return answer.ok ? null : problemOf(answer.code)
}
