import type { ReactNode } from 'react'
import type { Refusal } from '../connection/refusal.ts'
import { Button } from '../design/button.tsx'
import { ClockIcon, ExitIcon, LinkIcon, WarningIcon } from '../design/icons.tsx'
import type { Support } from '../devices/support.ts'
import { useText } from '../i18n/text.ts'
import { MessagePage } from './message-page.tsx'
import { WaitingPage } from './waiting-page.tsx'

/** What the browser cannot do is told on the same pages as what the service refuses. */
type ShownRefusal = Refusal | { page: Exclude<Support, 'ok'>; code: 'UNSUPPORTED_BROWSER' }
type Page = ShownRefusal['page']

const ICONS: Record<Page, ReactNode> = {
  'bad-link': <LinkIcon />,
  closed: <ExitIcon />,
  cancelled: <ExitIcon />,
  banned: <ExitIcon />,
  'too-early': <ClockIcon />,
  over: <ClockIcon />,
  unavailable: <WarningIcon />,
  removed: <ExitIcon />,
  elsewhere: <LinkIcon />,
  lost: <WarningIcon />,
  declined: <ExitIcon />,
  insecure: <WarningIcon />,
  'in-app': <LinkIcon />,
  'too-old': <WarningIcon />,
}

const AGAIN: Partial<Record<Page, 'retry' | 'joinAgain' | 'joinHere' | 'reconsider'>> = {
  unavailable: 'retry',
  removed: 'joinAgain',
  elsewhere: 'joinHere',
  lost: 'joinAgain',
  declined: 'reconsider',
}

interface RefusalPageProps {
  refusal: ShownRefusal
  onAgain?: () => void
}

export function RefusalPage({ refusal, onAgain }: RefusalPageProps) {
  const text = useText().refusal
  if (refusal.page === 'too-early') {
    return <WaitingPage refusal={refusal} onOpen={() => onAgain?.()} />
  }
  const { title, body } = text[refusal.page]
  const again = AGAIN[refusal.page]
  return (
    <MessagePage
      icon={ICONS[refusal.page]}
      title={title}
      body={body}
      {...(again !== undefined && {
        action: (
          <Button look="primary" size="large" onPress={() => onAgain?.()}>
            {text[again]}
          </Button>
        ),
      })}
    />
  )
}
