import type { ReactNode } from 'react'
import type { CallFacts } from '../connection/call-state.ts'
import { type Refusal, wordsOf } from '../connection/refusal.ts'
import { Button } from '../design/button.tsx'
import { ClockIcon, ExitIcon, LinkIcon, WarningIcon } from '../design/icons.tsx'
import type { Support } from '../devices/support.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import { Farewell, isInterviewed } from './farewell.tsx'
import { MessagePage } from './message-page.tsx'
import type { Rate } from './rating.tsx'

/** Missing browser features are shown on the same pages as the service's refusals. */
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
  withdrawn: <ExitIcon />,
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
  withdrawn: 'reconsider',
}

interface RefusalPageProps {
  refusal: Exclude<ShownRefusal, { page: 'too-early' }>
  /** Facts of the room that the person was in until then. */
  facts?: CallFacts | undefined
  onRate?: Rate
  onAgain?: () => void
}

export function RefusalPage({ refusal, facts, onRate, onAgain }: RefusalPageProps) {
  const { refusal: text, trouble } = useText()
  const { farewell } = useConsentText()
  const page = wordsOf(refusal.page, { wasInside: facts !== undefined })
  const { title, body } = text[page]
  const diagnosis = refusal.page === 'unavailable' ? refusal.trouble : undefined
  const said = diagnosis === undefined ? body : trouble[diagnosis]
  const again = AGAIN[page]
  const isThanked = isInterviewed(facts) && page === 'closed'
  return (
    <MessagePage
      icon={ICONS[page]}
      title={title}
      body={isThanked ? farewell.thanks : said}
      {...(again !== undefined && {
        action: (
          <Button look="primary" size="large" onPress={() => onAgain?.()}>
            {text[again]}
          </Button>
        ),
      })}
    >
      {isInterviewed(facts) && <Farewell facts={facts} onRate={isThanked ? onRate : undefined} />}
    </MessagePage>
  )
}
