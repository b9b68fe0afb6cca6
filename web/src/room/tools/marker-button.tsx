import { MARKER_SECONDS_AGO_MAX } from '@interview-room/contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { Dialog, DialogTrigger, Heading } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { CheckIcon, FlagIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { ControlButton } from './control-button.tsx'
import { RoomPopover } from './room-popover.tsx'
import { DialogField } from './tool-dialog.tsx'
import styles from './tools.module.css'
import { useRequest } from './use-request.ts'
import { useShortcuts } from './use-shortcuts.ts'

const NOTE_MAX = 255
/** A statement that just ended began about this long ago. */
const BACK_SEC = 30
const SAVED_SHOWN_MS = 2_500

interface MarkerButtonProps {
  shortcutHint: string
  /** True if markers are private by default. */
  isPrivateAtFirst: boolean
}

/** Marks a moment. The key does it immediately; the button asks for a note and marks the moment of the press. */
export function MarkerButton({ shortcutHint, isPrivateAtFirst }: MarkerButtonProps) {
  const text = useToolsText().marker
  const { status, post } = useRequest()
  const [isOpen, setIsOpen] = useState(false)
  const openedMs = useRef(0)
  const nothing = { note: '', isPrivate: isPrivateAtFirst }
  /** A note that could not be saved. Its form may have been closed meanwhile. */
  const [unsaved, setUnsaved] = useState(nothing)
  const { isFresh, refresh } = useFreshly(SAVED_SHOWN_MS)

  function open(isToOpen: boolean): void {
    if (isToOpen) openedMs.current = performance.now()
    setIsOpen(isToOpen)
  }

  async function mark({ note, isPrivate, secondsAgo }: Marker): Promise<void> {
    // Enter submits a form even while its button is pending.
    if (status === 'sending') return
    const payload = {
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(isPrivate && { is_private: true }),
      ...(secondsAgo > 0 && { seconds_ago: Math.min(secondsAgo, MARKER_SECONDS_AGO_MAX) }),
    }
    const isDone = await post<'postRoomEvent'>('/events', { event_type: 'marker', payload })
    if (note !== '') setUnsaved(isDone ? nothing : { note, isPrivate })
    // A form opened by a failure keeps the moment that was to be saved.
    setIsOpen(!isDone)
    if (isDone) refresh()
  }

  /** The marker belongs to the moment when the form was opened, however long the writing takes. */
  const sinceOpened = () => Math.round((performance.now() - openedMs.current) / 1000)

  function markNow(): void {
    if (status === 'sending') return
    openedMs.current = performance.now()
    void mark({ note: '', isPrivate: isPrivateAtFirst, secondsAgo: 0 })
  }

  useShortcuts({ b: markNow })
  return (
    <>
      <DialogTrigger isOpen={isOpen} onOpenChange={open}>
        <ControlButton
          icon={isFresh ? <CheckIcon /> : <FlagIcon />}
          label={text.button}
          hint={shortcutHint}
          look={isFresh ? 'on' : 'plain'}
        />
        <RoomPopover placement="top" shape="strip">
          <Dialog className={`${styles.panel} ${styles.low}`}>
            <Heading slot="title" level={2}>
              {text.title}
            </Heading>
            <MarkerForm
              isSending={status === 'sending'}
              unsaved={unsaved}
              onSave={({ note, isPrivate, secondsAgo }) =>
                void mark({ note, isPrivate, secondsAgo: secondsAgo + sinceOpened() })
              }
            />
            {status === 'failed' && <p role="alert">{text.failed}</p>}
          </Dialog>
        </RoomPopover>
      </DialogTrigger>
      <output className="visually-hidden">{isFresh ? text.saved : ''}</output>
    </>
  )
}

interface Marker {
  note: string
  isPrivate: boolean
  secondsAgo: number
}

interface MarkerFormProps {
  isSending: boolean
  unsaved: Pick<Marker, 'note' | 'isPrivate'>
  /** `secondsAgo` counts back from when the form was opened. */
  onSave: (marker: Marker) => void
}

function MarkerForm({ isSending, unsaved, onSave }: MarkerFormProps) {
  const text = useToolsText().marker
  const [note, setNote] = useState(unsaved.note)
  const [isPrivate, setIsPrivate] = useState(unsaved.isPrivate)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ note, isPrivate, secondsAgo: 0 })
      }}
    >
      <p>{text.lead}</p>
      <DialogField label={text.note} value={note} maxLength={NOTE_MAX} onChange={setNote} />
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={isPrivate}
          onChange={({ target }) => setIsPrivate(target.checked)}
        />
        {text.isPrivate}
      </label>
      <Button look="primary" type="submit" isPending={isSending}>
        {text.save}
      </Button>
      <Button
        isPending={isSending}
        onPress={() => onSave({ note, isPrivate, secondsAgo: BACK_SEC })}
      >
        {text.saveBack(BACK_SEC)}
      </Button>
    </form>
  )
}

/** True for a moment after something happened. */
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
