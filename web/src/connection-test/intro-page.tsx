import { Button } from '../design/button.tsx'
import { CameraIcon } from '../design/icons.tsx'
import { MessagePage } from '../pages/message-page.tsx'
import styles from './intro-page.module.css'
import type { TestState } from './test-state.ts'
import { useTestText } from './test-text.ts'

interface IntroPageProps {
  state: Extract<TestState, { phase: 'intro' }>
  onBegin: () => void
}

/** Explains the test. The page requests and sends nothing before Begin, which is the consent. */
export function IntroPage({ state, onBegin }: IntroPageProps) {
  const { intro } = useTestText()
  const { facts, beginning } = state
  return (
    <MessagePage
      icon={<CameraIcon />}
      title={facts.name ?? intro.title}
      body={intro.lead}
      action={
        <Button look="primary" size="large" isPending={beginning === 'asking'} onPress={onBegin}>
          {beginning === 'asking' ? intro.beginning : intro.begin}
        </Button>
      }
    >
      <ol className={styles.points}>
        <li>{intro.points.devices}</li>
        <li>{intro.points.line}</li>
      </ol>
      <p className={facts.record ? styles.recorded : styles.kept}>
        {facts.record ? intro.points.recorded : intro.points.notRecorded}
      </p>
      <p className={styles.agree}>{facts.record ? intro.agreeRecorded : intro.agree}</p>
      {beginning === 'failed' && (
        <p className={styles.failed} role="alert">
          {intro.failed}
        </p>
      )}
    </MessagePage>
  )
}
