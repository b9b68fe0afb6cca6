import { useEffect, useSyncExternalStore } from 'react'
import type { CallConnection } from '../connection/call-connection.ts'
import { isInRoom } from '../connection/call-state.ts'
import { BAD_LINK } from '../connection/refusal.ts'
import type { Support } from '../devices/support.ts'
import { useText } from '../i18n/text.ts'
import { LiveProvider } from '../live/use-live.tsx'
import { LeftPage } from '../pages/left-page.tsx'
import { RefusalPage } from '../pages/refusal-page.tsx'
import { CallPage } from './call/call-page.tsx'
import { ConsentPage } from './consent/consent-page.tsx'
import type { EntryLink } from './prejoin/entry-link.ts'
import { Prejoin } from './prejoin/prejoin.tsx'

interface RoomPageProps {
  link: EntryLink
  call: CallConnection
  support: Support
}

/** One page for every state of the call. */
export function RoomPage({ link, call, support }: RoomPageProps) {
  const state = useSyncExternalStore(call.subscribe, call.getState)
  const text = useText()
  const sessionName = 'facts' in state ? state.facts.sessionName : null
  useEffect(() => {
    document.title = sessionName ?? text.productName
  }, [sessionName, text])

  if (link.secret === null) return <RefusalPage refusal={BAD_LINK} />
  if (support !== 'ok') {
    return <RefusalPage refusal={{ page: support, code: 'UNSUPPORTED_BROWSER' }} />
  }
  if (isInRoom(state) && call.live !== undefined) {
    return (
      <LiveProvider live={call.live}>
        <CallPage call={call} state={state} />
      </LiveProvider>
    )
  }

  if (state.phase === 'consent') {
    return <ConsentPage call={call} isOptional={state.isOptional} />
  }

  const joinAgain = () => void call.joinAgain()
  if (state.phase === 'left') return <LeftPage onAgain={joinAgain} />
  if (state.phase === 'refused') {
    const isWaiting = state.refusal.page === 'too-early'
    const again = isWaiting ? () => void call.requestEntry() : joinAgain
    return <RefusalPage key={state.refusal.page} refusal={state.refusal} onAgain={again} />
  }
  return <Prejoin link={link} call={call} isJoining={state.phase === 'joining'} />
}
