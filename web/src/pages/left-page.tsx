import type { CallFacts } from '../connection/call-state.ts'
import { Button } from '../design/button.tsx'
import { ExitIcon } from '../design/icons.tsx'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import { Farewell, isInterviewed } from './farewell.tsx'
import { MessagePage } from './message-page.tsx'
import type { Rate } from './rating.tsx'

interface LeftPageProps {
  facts: CallFacts
  onRate: Rate
  onAgain: () => void
}

export function LeftPage({ facts, onRate, onAgain }: LeftPageProps) {
  const { left } = useText()
  const { farewell } = useConsentText()
  return (
    <MessagePage
      icon={<ExitIcon />}
      title={left.title}
      body={isInterviewed(facts) ? farewell.thanks : left.body}
      action={
        <Button size="large" onPress={onAgain}>
          {left.again}
        </Button>
      }
    >
      {isInterviewed(facts) && <Farewell facts={facts} onRate={onRate} />}
    </MessagePage>
  )
}
