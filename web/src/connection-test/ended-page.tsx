import { Button } from '../design/button.tsx'
import { CheckIcon, ClockIcon, WarningIcon } from '../design/icons.tsx'
import { MessagePage } from '../pages/message-page.tsx'
import styles from './result.module.css'
import { DeviceList, Hints, Measured } from './result.tsx'
import type { TestState } from './test-state.ts'
import { useTestText } from './test-text.ts'

type EndedState = Extract<TestState, { phase: 'ended' }>

interface EndedPageProps {
  state: EndedState
  onRepeat: () => void
}

/** The end of a test: its result in plain words, or the reason why there is none. */
export function EndedPage({ state, onRepeat }: EndedPageProps) {
  const text = useTestText()
  const { status } = state.facts
  if (status === 'completed') return <DonePage state={state} onRepeat={onRepeat} />
  if (status === 'failed') return <FailedPage state={state} onRepeat={onRepeat} />
  return <MessagePage icon={<ClockIcon />} title={text.expired.title} body={text.expired.body} />
}

function DonePage({ state, onRepeat }: EndedPageProps) {
  const { done } = useTestText()
  const { summary, devices } = state.facts
  return (
    <MessagePage
      icon={<CheckIcon />}
      title={done.title}
      body={done.body}
      {...againOf(state, onRepeat)}
    >
      {summary !== null && <Measured summary={summary} />}
      {devices !== null && <DeviceList devices={devices} />}
      {summary !== null && <Hints warnings={summary.warnings} />}
    </MessagePage>
  )
}

function FailedPage({ state, onRepeat }: EndedPageProps) {
  const text = useTestText()
  const { failure_reason: reason, devices } = state.facts
  return (
    <MessagePage
      icon={<WarningIcon />}
      title={text.failed.title}
      body={text.failure[reason ?? 'internal']}
      {...againOf(state, onRepeat)}
    >
      {devices !== null && <DeviceList devices={devices} />}
      <p>{text.failed.resultsSent}</p>
    </MessagePage>
  )
}

function againOf(state: EndedState, onRepeat: () => void) {
  return state.facts.can_repeat ? { action: <Again state={state} onRepeat={onRepeat} /> } : {}
}

function Again({ state, onRepeat }: EndedPageProps) {
  const { again } = useTestText()
  const isAsking = state.repeating === 'asking'
  return (
    <div className={styles.again}>
      <Button size="large" isPending={isAsking} onPress={onRepeat}>
        {isAsking ? again.asking : again.action}
      </Button>
      {state.repeating === 'failed' && (
        <p className={styles.refused} role="alert">
          {again.failed}
        </p>
      )}
    </div>
  )
}
