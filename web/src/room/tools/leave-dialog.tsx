import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { DialogButtons, ToolDialog } from './tool-dialog.tsx'

interface LeaveDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onLeave: () => void
}

/** Asks once before a person who pressed the back key leaves. */
export function LeaveDialog({ isOpen, onOpenChange, onLeave }: LeaveDialogProps) {
  const text = useToolsText().leave
  return (
    <ToolDialog title={text.title} isOpen={isOpen} onOpenChange={onOpenChange} isAlert>
      <p>{text.body}</p>
      <DialogButtons>
        <Button onPress={() => onOpenChange(false)}>{text.cancel}</Button>
        <Button look="danger" onPress={onLeave}>
          {text.confirm}
        </Button>
      </DialogButtons>
    </ToolDialog>
  )
}
