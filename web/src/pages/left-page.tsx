import { Button } from '../design/button.tsx'
import { ExitIcon } from '../design/icons.tsx'
import { useText } from '../i18n/text.ts'
import { MessagePage } from './message-page.tsx'

export function LeftPage({ onAgain }: { onAgain: () => void }) {
  const { left } = useText()
  return (
    <MessagePage
      icon={<ExitIcon />}
      title={left.title}
      body={left.body}
      action={
        <Button size="large" onPress={onAgain}>
          {left.again}
        </Button>
      }
    />
  )
}
