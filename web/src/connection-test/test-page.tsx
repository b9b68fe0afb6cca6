import { useEffect, useSyncExternalStore } from 'react'
import { Button } from '../design/button.tsx'
import { LinkIcon, WarningIcon, ClockIcon } from '../design/icons.tsx'
import { MessagePage } from '../pages/message-page.tsx'
import { RefusalPage } from '../pages/refusal-page.tsx'
import { DeviceStep } from './device-step.tsx'
import { EndedPage } from './ended-page.tsx'
import { IntroPage } from './intro-page.tsx'
import { LoadingPage } from './loading-page.tsx'
import { MeasuringPage } from './measuring-page.tsx'
import { useTestText } from './test-text.ts'
import type { TestVisit } from './test-visit.ts'

/** One page for every state of the test. */
export function TestPage({ visit }: { visit: TestVisit }) {
  const state = useSyncExternalStore(visit.subscribe, visit.getState)
  const text = useTestText()
  const name = 'facts' in state ? state.facts.name : null
  useEffect(() => {
    document.title = name === null ? text.pageTitle : `${name} · ${text.pageTitle}`
  }, [name, text])

  if (state.phase === 'intro') {
    return <IntroPage state={state} onBegin={() => void visit.begin()} />
  }
  if (state.phase === 'devices') {
    return <DeviceStep visit={visit} isRecorded={state.facts.record} />
  }
  if (state.phase === 'measuring') return <MeasuringPage state={state} />
  if (state.phase === 'sending') {
    return <SendingPage hasFailed={state.hasFailed} onAgain={() => void visit.resend()} />
  }
  if (state.phase === 'ended') {
    return <EndedPage state={state} onRepeat={() => void visit.repeat()} />
  }
  if (state.phase === 'unsupported') {
    return <RefusalPage refusal={{ page: state.support, code: 'UNSUPPORTED_BROWSER' }} />
  }
  if (state.phase === 'unreachable') {
    return <AgainPage text={text.unreachable} onAgain={() => void visit.load()} />
  }
  if (state.phase === 'bad-link') return <BadLinkPage />
  return state.phase === 'elsewhere' ? <ElsewherePage /> : <LoadingPage />
}

function ElsewherePage() {
  const { elsewhere } = useTestText()
  return <MessagePage icon={<LinkIcon />} title={elsewhere.title} body={elsewhere.body} />
}

export function BadLinkPage() {
  const { badLink, pageTitle } = useTestText()
  // Without a ticket, this is the whole page.
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
  return <MessagePage icon={<LinkIcon />} title={badLink.title} body={badLink.body} />
}

interface SendingPageProps {
  hasFailed: boolean
  onAgain: () => void
}

function SendingPage({ hasFailed, onAgain }: SendingPageProps) {
  const { sending } = useTestText()
  const { title, body, failedTitle, failedBody, again } = sending
  if (!hasFailed) {
    return <MessagePage icon={<ClockIcon />} title={title} body={body} />
  }
  return <AgainPage text={{ title: failedTitle, body: failedBody, again }} onAgain={onAgain} />
}

interface AgainPageProps {
  text: { title: string; body: string; again: string }
  onAgain: () => void
}

function AgainPage({ text, onAgain }: AgainPageProps) {
  return (
    <MessagePage
      icon={<WarningIcon />}
      title={text.title}
      body={text.body}
      action={
        <Button look="primary" size="large" onPress={onAgain}>
          {text.again}
        </Button>
      }
    />
  )
}
