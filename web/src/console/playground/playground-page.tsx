import { useMemo, useState } from 'react'
import { ConsoleFrame } from '../console-frame.tsx'
import { consoleSections } from '../console-sections.ts'
import { useText as useConsoleText } from '../console-text.ts'
import consoleStyles from '../console.module.css'
import { Interviews } from './interviews.tsx'
import { type LocalState, localApi } from './local-api.ts'
import { PlaygroundContext } from './playground-context.ts'
import styles from './playground.module.css'
import { useText } from './text.ts'
import { useDemoTenant } from './use-demo-tenant.ts'
import { usePolled } from './use-polled.ts'
import { useWebhooks } from './use-webhooks.ts'

/** The console of the demo tenant, signed in, with a section for interviews. */
export function PlaygroundPage() {
  const text = useText()
  const consoleText = useConsoleText()
  const { data: local, hasFailed } = usePolled(localApi.state)
  const tenant = useDemoTenant()
  const { delivered, isLive } = useWebhooks()
  const [chosenRoomId, chooseRoom] = useState<string>()
  const state = useMemo(
    () => ({ local, webhooks: { delivered, isLive }, chosenRoomId, chooseRoom }),
    [local, delivered, isLive, chosenRoomId],
  )
  const notice = (hasFailed || tenant.hasFailed) && (
    <p className={styles.unreachable} role="alert">
      {text.error.unreachable}
    </p>
  )
  // A part that appears later would move what is read by then.
  if (tenant.signedIn === undefined || local === undefined)
    return <div className={consoleStyles.page}>{notice}</div>
  const interviews = { name: 'interviews', label: text.section, Content: Interviews }
  return (
    <PlaygroundContext value={state}>
      <ConsoleFrame
        signedIn={tenant.signedIn}
        title={text.title}
        lead={text.lead}
        actions={<Links local={local} />}
        notice={notice}
        sections={[interviews, ...consoleSections(consoleText)]}
        footer={<LocalAddresses local={local} />}
      />
    </PlaygroundContext>
  )
}

function Links({ local }: { local: LocalState }) {
  const text = useText()
  return (
    <>
      <span className={styles.version}>{`v${local.version}`}</span>
      <a className={styles.link} href="/playground/board" target="_blank" rel="noreferrer">
        {text.board}
      </a>
      {local.docs_url !== null && (
        <a className={styles.link} href={local.docs_url}>
          {text.docs}
        </a>
      )}
    </>
  )
}

/** Addresses, ids and folders for scripts. */
function LocalAddresses({ local }: { local: LocalState }) {
  const text = useText().addresses
  const rows = [
    [text.baseUrl, local.base_url],
    [text.tenant, local.tenant_id],
    [text.key, local.key_id],
    [text.media, local.media_url],
    [text.dataDir, local.data_dir],
  ] as const
  return (
    <footer className={styles.addresses}>
      <h2>{text.title}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </footer>
  )
}
