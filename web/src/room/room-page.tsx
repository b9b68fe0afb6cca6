import type { RatingRequest } from '@interview-room/contract/live-people.ts'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { CallConnection } from '../connection/call-connection.ts'
import { type CallState, isInRoom } from '../connection/call-state.ts'
import type { CheckedCredential } from '../connection/live-api.ts'
import { BAD_LINK, type Refusal } from '../connection/refusal.ts'
import type { Support } from '../devices/support.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import { LiveProvider, useLiveState } from '../live/use-live.tsx'
import { CheckingPage } from '../pages/checking-page.tsx'
import { LeftPage } from '../pages/left-page.tsx'
import { OpenPage } from '../pages/open-page.tsx'
import { RefusalPage } from '../pages/refusal-page.tsx'
import { useFarewell } from '../pages/use-farewell.ts'
import { WaitingPage } from '../pages/waiting-page.tsx'
import { CallPage } from './call/call-page.tsx'
import { ConnectingPage } from './call/connecting-page.tsx'
import { ConsentPage } from './consent/consent-page.tsx'
import type { EntryLink } from './prejoin/entry-link.ts'
import { InterviewInfo } from './prejoin/interview-info.tsx'
import { Prejoin } from './prejoin/prejoin.tsx'

interface RoomPageProps {
  link: EntryLink
  call: CallConnection
  support: Support
}

/** One page for every state of the call. */
export function RoomPage({ link, call, support }: RoomPageProps) {
  const state = useSyncExternalStore(call.subscribe, call.getState)
  const title = useTitle(state)
  const isIn = isInRoom(state) && call.live !== undefined
  useEffect(() => {
    if (!isIn) document.title = title
  }, [isIn, title])
  const isUsable = link.secret !== null && support === 'ok'
  useEffect(() => {
    if (isUsable) checkLink(call, link)
  }, [isUsable, call, link])

  if (link.secret === null) return <RefusalPage refusal={BAD_LINK} />
  if (support !== 'ok') {
    return <RefusalPage refusal={{ page: support, code: 'UNSUPPORTED_BROWSER' }} />
  }
  if (isInRoom(state) && call.live !== undefined) {
    return (
      <LiveProvider live={call.live}>
        <UnreadTitle title={title} />
        <CallPage call={call} state={state} />
      </LiveProvider>
    )
  }
  return <OutsidePage link={link} call={call} state={state} />
}

/** The title of the tab begins with the number of unread messages, which a hidden page shows nowhere else. */
function UnreadTitle({ title }: { title: string }) {
  const count = useLiveState(({ unread }) =>
    Object.values(unread).reduce((all, each) => all + each),
  )
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title
  }, [count, title])
  return null
}

/** The pages before and after the room. */
// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
function OutsidePage({ link, call, state }: Omit<RoomPageProps, 'support'> & { state: CallState }) {
  const { roomId, secret } = link
  const credential = useMemo(() => (secret === null ? null : credentialOf(secret)), [secret])
  const { farewell, isLoading } = useFarewell({ roomId, credential, isWanted: isOver(state) })
  const joinAgain = () => void call.joinAgain()
  const rate = async (rating: RatingRequest) => {
    const answer = await call.live?.request<'rateInterview'>('POST', '/rating', rating)
    return answer?.ok === true
  }
  switch (state.phase) {
    case 'checking':
      return <CheckingPage />
    case 'open':
      return (
        <OpenPage onGo={() => call.prepare()}>
          <InterviewInfo preview={state.preview} />
        </OpenPage>
      )
    case 'consent':
      return <ConsentPage key={state.purpose} call={call} {...state} />
    case 'left':
      return <LeftPage facts={state.facts} farewell={farewell} onRate={rate} onAgain={joinAgain} />
    case 'refused': {
      const { refusal, facts } = state
      // The words depend on whether the person took part, which a page that was just opened does not know.
      const isOpenQuestion = refusal.page === 'closed' || refusal.page === 'over'
      if (isOpenQuestion && isLoading && facts === undefined) return <CheckingPage />
      if (refusal.page !== 'too-early') {
        return (
          <RefusalPage
            key={refusal.page}
            refusal={refusal}
            facts={facts}
            farewell={farewell}
            onRate={rate}
            onAgain={joinAgain}
          />
        )
      }
      return (
        <WaitingPage refusal={refusal} onOpen={() => void call.checkAgain()}>
          {refusal.preview !== undefined && <InterviewInfo preview={refusal.preview} />}
        </WaitingPage>
      )
    }
    case 'lobby':
      return <Prejoin link={link} call={call} preview={state.preview} />
    case 'joining':
      return <ConnectingPage call={call} state={state} />
    case 'live':
    case 'reconnecting':
      // The room has its own page.
      return null
  }
}

function checkLink(call: CallConnection, { secret }: EntryLink): void {
  if (secret !== null) void call.check(credentialOf(secret))
}

function credentialOf({ kind, value }: NonNullable<EntryLink['secret']>): CheckedCredential {
  return kind === 'token' ? { kind, token: value } : { kind, accessToken: value }
}

/** Refusals after which there is nothing to come for this person. */
const LAST: readonly Refusal['page'][] = [
  'closed',
  'cancelled',
  'over',
  'removed',
  'banned',
  'declined',
  'withdrawn',
]

/** True on the pages that tell what happens now. */
function isOver(state: CallState): boolean {
  return state.phase === 'left' || (state.phase === 'refused' && LAST.includes(state.refusal.page))
}

/** The title of the tab. A person who waits in another tab sees there that the room is open. */
function useTitle(state: CallState): string {
  const { productName } = useText()
  const { open } = useConsentText()
  if (state.phase === 'open') return open.title
  if ('facts' in state) return state.facts?.sessionName ?? productName
  const preview = 'preview' in state ? state.preview : undefined
  return preview?.session?.name ?? productName
}
