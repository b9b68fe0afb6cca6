import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import type { ReactNode } from 'react'
import type { CallFacts } from '../connection/call-state.ts'
import { type Refusal, wordsOf } from '../connection/refusal.ts'
import { Button } from '../design/button.tsx'
import { ClockIcon, ExitIcon, LinkIcon, WarningIcon } from '../design/icons.tsx'
import type { Support } from '../devices/support.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import { Farewell, hasBeenInside, roleOf } from './farewell.tsx'
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
  farewell?: FarewellBody | undefined
  onRate?: Rate
  onAgain?: () => void
}

export function RefusalPage({ refusal, facts, farewell, onRate, onAgain }: RefusalPageProps) {
  const { refusal: text, trouble } = useText()
  const { thanks } = useConsentText().farewell
  const wasInside = hasBeenInside(facts, farewell)
  const page = wordsOf(refusal.page, { wasInside })
  const { title, body } = text[page]
  const diagnosis = refusal.page === 'unavailable' ? refusal.trouble : undefined
  const said = diagnosis === undefined ? body : trouble[diagnosis]
  const again = AGAIN[page]
  const isThanked = wasInside && roleOf(facts, farewell) === 'panelist' && page === 'closed'
  return (
    <MessagePage
      icon={ICONS[page]}
      title={title}
      body={isThanked ? thanks : said}
      {...(again !== undefined && {
        action: (
          <Button look="primary" size="large" onPress={() => onAgain?.()}>
            {text[again]}
          </Button>
        ),
      })}
    >
      <Farewell
        facts={facts}
        farewell={farewell}
        onRate={isThanked && facts !== undefined ? onRate : undefined}
      />
    </MessagePage>
  )
}
