import type {
  ConnectionTestBody,
  LastConnectionTest,
} from '@interview-room/contract/connection-tests.ts'
import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { ConnectionTestStatus } from '@interview-room/contract/vocabulary.ts'
import { useState } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { LastTest } from '../../../design/last-test.tsx'
import { Panel } from '../../../design/panel.tsx'
import { useLocale } from '../../../i18n/language.tsx'
import { playgroundTestsEn } from '../../../i18n/playground-tests-en.ts'
import {
  type PlaygroundTestsDictionary,
  playgroundTestsJa,
} from '../../../i18n/playground-tests-ja.ts'
import { useAction } from '../../../pages/use-action.ts'
import formStyles from '../book-form.module.css'
import { useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { usePolled } from '../use-polled.ts'
import styles from './connection-tests.module.css'

const DICTIONARIES = { ja: playgroundTestsJa, en: playgroundTestsEn }

function useTestsText(): PlaygroundTestsDictionary {
  return DICTIONARIES[useLocale()]
}

/** Starts a connection test for a respondent, and shows the state of the newest tests. */
export function ConnectionTests() {
  const text = useTestsText()
  const { data: list, refresh } = usePolled(useTenantApi().connectionTests)
  return (
    <Panel title={text.title}>
      <StartForm onStarted={refresh} />
      {list?.length === 0 && <p className={styles.empty}>{text.empty}</p>}
      <ul className={styles.list}>
        {list?.map((test) => (
          <Row key={test.id} test={test} />
        ))}
      </ul>
    </Panel>
  )
}

function StartForm({ onStarted }: { onStarted: () => void }) {
  const text = useTestsText()
  const words = useText()
  const locale = useLocale()
  const [ownName, setOwnName] = useState<string>()
  const [record, setRecord] = useState(false)
  const tenant = useTenantApi()
  const { isBusy, error, run } = useAction()
  const name = ownName ?? words.defaultNames.panelist

  async function start(): Promise<void> {
    await run(async () => {
      await tenant.startConnectionTest({ name: name.trim(), locale, record })
      onStarted()
    })
  }

  return (
    <form
      className={formStyles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <p className={`${formStyles.wide} ${styles.lead}`}>{text.lead}</p>
      <label className={formStyles.wide}>
        {text.name}
        <input
          value={name}
          required
          pattern=".*\S.*"
          maxLength={DISPLAY_NAME_MAX}
          onChange={(event) => setOwnName(event.target.value)}
        />
      </label>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={record}
          onChange={(event) => setRecord(event.target.checked)}
        />
        {text.record}
      </label>
      <div className={formStyles.wide}>
        <Button type="submit" isPending={isBusy}>
          {text.start}
        </Button>
        {error !== null && <p role="alert">{words.error.failed}</p>}
      </div>
    </form>
  )
}

const TONES = {
  pending: 'calm',
  running: 'accent',
  completed: 'good',
  failed: 'warn',
  expired: 'calm',
} as const satisfies Record<ConnectionTestStatus, string>

function Row({ test }: { test: ConnectionTestBody }) {
  const text = useTestsText()
  const isOpen = test.status === 'pending' || test.status === 'running'
  return (
    <li className={styles.test}>
      <strong>{test.name}</strong>
      <Badge tone={TONES[test.status]}>{text.status[test.status]}</Badge>
      {isOpen && (
        <a
          href={test.connect_url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={text.opened(test.name ?? '')}
        >
          {text.open}
        </a>
      )}
      <LastTest test={resultOf(test)} />
    </li>
  )
}

function resultOf({
  status,
  completed_at: at,
  ...test
}: ConnectionTestBody): LastConnectionTest | null {
  if ((status !== 'completed' && status !== 'failed') || at === null) return null
  return {
    status,
    completed_at: at,
    failure_reason: test.failure_reason,
    mos: test.summary?.audio.mos ?? null,
    recommended_resolution: test.summary?.video.recommended_resolution ?? null,
    recommended_frame_rate: test.summary?.video.recommended_frame_rate ?? null,
    warnings: test.summary?.warnings ?? [],
  }
}
