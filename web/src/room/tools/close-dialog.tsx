import { CLOSE_REASON_MAX } from '@interview-room/contract/limits.ts'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { DialogButtons, DialogField, ToolDialog } from './tool-dialog.tsx'
import { useRequest } from './use-request.ts'

interface CloseDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Asks once before everybody is removed. */
export function CloseDialog({ isOpen, onOpenChange }: CloseDialogProps) {
  const text = useToolsText().close
  const { status, post, reset } = useRequest()
  const [reason, setReason] = useState('')

  function change(toOpen: boolean): void {
    // Reset for the next attempt.
    reset()
    onOpenChange(toOpen)
  }

  async function close(): Promise<void> {
    const given = reason.trim()
    // This page learns from the stream that the room is closed, like every other page.
    if (await post<'closeFromInside'>('/close', given === '' ? {} : { reason: given }))
      onOpenChange(false)
  }

  return (
    <ToolDialog title={text.title} isOpen={isOpen} onOpenChange={change} isAlert>
      <p>{text.body}</p>
      <DialogField
        label={text.reason}
        value={reason}
        maxLength={CLOSE_REASON_MAX}
        onChange={setReason}
      />
      {status === 'failed' && <p role="alert">{text.failed}</p>}
      <DialogButtons>
        <Button onPress={() => change(false)}>{text.cancel}</Button>
        <Button look="danger" isPending={status === 'sending'} onPress={() => void close()}>
          {text.confirm}
        </Button>
      </DialogButtons>
    </ToolDialog>
  )
}
