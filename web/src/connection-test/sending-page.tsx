import { Button } from '../design/button.tsx'
import { ClockIcon, WarningIcon } from '../design/icons.tsx'
import { MessagePage } from '../pages/message-page.tsx'
import { useTestText } from './test-text.ts'

interface SendingPageProps {
  hasFailed: boolean
  onAgain: () => void
}

export function SendingPage({ hasFailed, onAgain }: SendingPageProps) {
  const { sending } = useTestText()
  if (!hasFailed) {
    return (
      <MessagePage key="sending" icon={<ClockIcon />} title={sending.title} body={sending.body} />
    )
  }
  return (
    <MessagePage
      key="failed"
      icon={<WarningIcon />}
      title={sending.failedTitle}
      body={sending.failedBody}
      action={
        <Button look="primary" size="large" onPress={onAgain}>
          {sending.again}
        </Button>
      }
    />
  )
}
