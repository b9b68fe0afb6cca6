import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { HelpContact } from '../../pages/help-contact.tsx'
import { DialogButtons, ToolDialog } from './tool-dialog.tsx'
import { useRequest } from './use-request.ts'

interface HelpDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Calls the operator, and then calmly confirms that they were notified. */
export function HelpDialog({ isOpen, onOpenChange }: HelpDialogProps) {
  const { role } = useLive()
  const text = useToolsText()[role === 'panelist' ? 'help' : 'callOperator']
  const closeText = useToolsText().shortcuts.close
  const { status, post, reset } = useRequest()
  const [wasSent, setWasSent] = useState(false)

  function change(toOpen: boolean): void {
    // Reset for the next call.
    setWasSent(false)
    reset()
    onOpenChange(toOpen)
  }

  async function send(): Promise<void> {
    setWasSent(await post<'postRoomEvent'>('/events', { event_type: 'help.requested' }))
  }

  return (
    <ToolDialog title={wasSent ? text.sentTitle : text.title} isOpen={isOpen} onOpenChange={change}>
      <output>{wasSent && <p>{text.sent}</p>}</output>
      {!wasSent && <p>{text.lead}</p>}
      <HelpContact />
      {status === 'failed' && <p role="alert">{text.failed}</p>}
      <DialogButtons>
        <Button size="large" onPress={() => change(false)}>
          {wasSent ? closeText : text.cancel}
        </Button>
        {!wasSent && (
          <Button
            look="primary"
            size="large"
            isPending={status === 'sending'}
            onPress={() => void send()}
          >
            {text.send}
          </Button>
        )}
      </DialogButtons>
    </ToolDialog>
  )
}
