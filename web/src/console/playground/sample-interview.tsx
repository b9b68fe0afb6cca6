import { Button } from '../../design/button.tsx'
import { Panel } from '../../design/panel.tsx'
import { useAction } from '../../pages/use-action.ts'
import { useConsole } from '../console-context.ts'
import { openReview } from '../open-review.ts'
import { localApi } from './local-api.ts'
import styles from './sample-interview.module.css'
import { useText } from './text.ts'

/** Opens an interview that is over, for review. The first press makes it. */
export function SampleInterview({ onMade }: { onMade: () => void }) {
  const text = useText().sample
  const { api } = useConsole()
  const { isBusy, error, run } = useAction()
  const open = async () => {
    await openReview(api, localApi.sample())
    onMade()
  }
  return (
    <Panel title={text.title}>
      <p className={styles.lead}>{text.lead}</p>
      <Button isPending={isBusy} onPress={() => void run(open)}>
        {text.open}
      </Button>
      {error !== null && <p role="alert">{text.failed}</p>}
    </Panel>
  )
}
