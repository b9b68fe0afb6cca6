import { BAN_REASON_MAX } from '@interview-room/contract/limits.ts'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { DialogButtons, DialogField, ToolDialog } from './tool-dialog.tsx'
import { useRequest } from './use-request.ts'

interface BanDialogProps {
  person: { identity: string; name: string }
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Bans a person for good, with a reason that is stored. */
export function BanDialog({ person, isOpen, onOpenChange }: BanDialogProps) {
  const text = useToolsText().person
  const { status, post, reset } = useRequest()
  const [reason, setReason] = useState('')
  const given = reason.trim()

  function change(toOpen: boolean): void {
    // Reset for the next attempt.
    reset()
    onOpenChange(toOpen)
  }

  async function ban(): Promise<void> {
    const isDone = await post<'banFromInside'>(
      `/participants/${encodeURIComponent(person.identity)}/ban`,
      {
        reason: given,
      },
    )
    if (isDone) onOpenChange(false)
  }

  return (
    <ToolDialog title={text.banTitle(person.name)} isOpen={isOpen} onOpenChange={change} isAlert>
      <p>{text.banBody}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // Enter submits a form even while its button is pending.
          if (given !== '' && status !== 'sending') void ban()
        }}
      >
        <DialogField
          label={text.banReason}
          hint={text.banReasonHint}
          value={reason}
          maxLength={BAN_REASON_MAX}
          isRequired
          onChange={setReason}
        />
        {status === 'failed' && <p role="alert">{text.banFailed}</p>}
        <DialogButtons>
          <Button onPress={() => change(false)}>{text.cancel}</Button>
          <Button
            look="danger"
            type="submit"
            isDisabled={given === ''}
            isPending={status === 'sending'}
          >
            {text.banConfirm}
          </Button>
        </DialogButtons>
      </form>
    </ToolDialog>
  )
}
