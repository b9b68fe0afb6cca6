import { useEffect, useState } from 'react'
import { Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { CheckIcon, FlagIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { ControlButton } from './control-button.tsx'
import { DialogField } from './tool-dialog.tsx'
import styles from './tools.module.css'
import { useRequest } from './use-request.ts'
import { useShortcuts } from './use-shortcuts.ts'

const NOTE_MAX = 255
const SAVED_SHOWN_MS = 2_500

/** Notes the moment: by its key at once, by its button with a note. */
export function MarkerButton({ shortcutHint }: { shortcutHint: string }) {
  const text = useToolsText().marker
  const { status, post } = useRequest()
  const [isOpen, setIsOpen] = useState(false)
  const { isFresh, refresh } = useFreshly(SAVED_SHOWN_MS)

  async function mark(note: string): Promise<void> {
    const payload = note.trim() === '' ? {} : { payload: { note: note.trim() } }
    const isDone = await post<'postRoomEvent'>('/events', { event_type: 'marker', ...payload })
    if (!isDone) return setIsOpen(true)
    setIsOpen(false)
    refresh()
  }

  useShortcuts({ b: () => void mark('') })
  return (
    <>
      <DialogTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
        <ControlButton
          icon={isFresh ? <CheckIcon /> : <FlagIcon />}
          label={text.button}
          hint={shortcutHint}
          look={isFresh ? 'on' : 'plain'}
        />
        <Popover className={styles.popover ?? ''} placement="top">
          <Dialog className={styles.panel ?? ''}>
            <Heading slot="title" level={2}>
              {text.title}
            </Heading>
            <MarkerForm isSending={status === 'sending'} onSave={(note) => void mark(note)} />
            {status === 'failed' && <p role="alert">{text.failed}</p>}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <output className="visually-hidden">{isFresh ? text.saved : ''}</output>
    </>
  )
}

interface MarkerFormProps {
  isSending: boolean
  onSave: (note: string) => void
}

function MarkerForm({ isSending, onSave }: MarkerFormProps) {
  const text = useToolsText().marker
  const [note, setNote] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave(note)
      }}
    >
      <p>{text.lead}</p>
      <DialogField label={text.note} value={note} maxLength={NOTE_MAX} onChange={setNote} />
      <Button look="primary" type="submit" isPending={isSending}>
        {text.save}
      </Button>
    </form>
  )
}

/** Something that is true for a moment after it happened. */
function useFreshly(shownMs: number) {
  const [happenedCount, setHappenedCount] = useState(0)
  const [goneCount, setGoneCount] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setGoneCount(happenedCount), shownMs)
    return () => clearTimeout(timer)
  }, [happenedCount, shownMs])
  return {
    isFresh: happenedCount > goneCount,
    refresh: () => setHappenedCount((count) => count + 1),
  }
}
