import { Button } from '../../design/button.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { DialogButtons, ToolDialog } from './tool-dialog.tsx'
import { useRequest } from './use-request.ts'

interface RemoveDialogProps {
  person: { identity: string; name: string }
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Ends the visit of a person, who may come back. */
export function RemoveDialog({ person, isOpen, onOpenChange }: RemoveDialogProps) {
  const text = usePeopleText()
  const { status, post, reset } = useRequest()

  function change(toOpen: boolean): void {
    // Reset for the next attempt.
    reset()
    onOpenChange(toOpen)
  }

  async function remove(): Promise<void> {
    const isDone = await post<'removeFromInside'>(
      `/participants/${encodeURIComponent(person.identity)}/remove`,
    )
    if (isDone) onOpenChange(false)
  }

  return (
    <ToolDialog title={text.removeTitle(person.name)} isOpen={isOpen} onOpenChange={change} isAlert>
      <p>{text.removeBody}</p>
      {status === 'failed' && <p role="alert">{text.removeFailed}</p>}
      <DialogButtons>
        <Button onPress={() => change(false)}>{text.cancel}</Button>
        <Button look="danger" isPending={status === 'sending'} onPress={() => void remove()}>
          {text.removeConfirm}
        </Button>
      </DialogButtons>
    </ToolDialog>
  )
}
