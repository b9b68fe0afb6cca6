import type { CallConnection } from '../../connection/call-connection.ts'
import { type CallState, STAGES } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { CheckIcon, ClockIcon } from '../../design/icons.tsx'
import { Notice } from '../../design/notice.tsx'
import { useText } from '../../i18n/text.ts'
import { MessagePage } from '../../pages/message-page.tsx'
import styles from './connecting-page.module.css'
import { useWake } from './wake-lock.ts'

type Joining = Extract<CallState, { phase: 'joining' }>

interface ConnectingPageProps {
  call: CallConnection
  state: Joining
}

/** The way into the room in stages. Once it takes long, the page says why, and the person may stop. */
export function ConnectingPage({ call, state: { stage, trouble } }: ConnectingPageProps) {
  const { connecting: text, trouble: reasons } = useText()
  useWake(call)
  return (
    <MessagePage
      icon={<ClockIcon />}
      title={text.title}
      body={text.lead}
      {...(trouble !== null && {
        action: (
          <Button size="large" onPress={call.stopJoining}>
            {text.stop}
          </Button>
        ),
      })}
    >
      <Stages stage={stage} />
      {trouble !== null && (
        <div className={styles.diagnosis}>
          <Notice title={text.notYet}>{reasons[trouble]}</Notice>
        </div>
      )}
    </MessagePage>
  )
}

function Stages({ stage }: Pick<Joining, 'stage'>) {
  const text = useText().connecting
  const at = STAGES.indexOf(stage)
  return (
    <ol className={styles.stages}>
      {STAGES.map((each, place) => (
        <li key={each} aria-current={place === at ? 'step' : undefined} data-done={place < at}>
          {place < at ? <CheckIcon /> : <i className={styles.dot} />}
          <span className={styles.name}>{text.stages[each]}</span>
          {place <= at && <span>{place < at ? text.done : text.now}</span>}
        </li>
      ))}
    </ol>
  )
}
