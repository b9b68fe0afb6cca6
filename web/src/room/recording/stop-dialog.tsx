import { Button } from '../../design/button.tsx'
import { DialogButtons, ToolDialog } from '../tools/tool-dialog.tsx'
import { useRecordingText } from './recording-text.ts'
import type { useRecordingControl } from './use-recording-control.ts'

interface StopDialogProps {
  control: ReturnType<typeof useRecordingControl>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Asks once before the recording ends for good. */
export function StopDialog({ control, isOpen, onOpenChange }: StopDialogProps) {
  const { confirm, refused } = useRecordingText()
  async function stop(): Promise<void> {
    if (await control.say('stop')) onOpenChange(false)
  }
  return (
    <ToolDialog title={confirm.title} isOpen={isOpen} onOpenChange={onOpenChange} isAlert>
      <p>{confirm.body}</p>
      {control.refused === 'stop' && <p role="alert">{refused.other}</p>}
      <DialogButtons>
        <Button onPress={() => onOpenChange(false)}>{confirm.cancel}</Button>
        <Button look="danger" isPending={control.isSending} onPress={() => void stop()}>
          {confirm.confirm}
        </Button>
      </DialogButtons>
    </ToolDialog>
  )
}
