import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import type { CallFacts } from '../connection/call-state.ts'
import { Button } from '../design/button.tsx'
import { ExitIcon } from '../design/icons.tsx'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import { Farewell } from './farewell.tsx'
import { MessagePage } from './message-page.tsx'
import type { Rate } from './rating.tsx'

interface LeftPageProps {
  facts: CallFacts
  farewell: FarewellBody | undefined
  onRate: Rate
  onAgain: () => void
}

export function LeftPage({ facts, farewell, onRate, onAgain }: LeftPageProps) {
  const { left } = useText()
  const { thanks } = useConsentText().farewell
  return (
    <MessagePage
      icon={<ExitIcon />}
      title={left.title}
      body={facts.me.role === 'panelist' ? thanks : left.body}
      action={
        <Button size="large" onPress={onAgain}>
          {left.again}
        </Button>
      }
    >
      <Farewell facts={facts} farewell={farewell} onRate={onRate} />
    </MessagePage>
  )
}
