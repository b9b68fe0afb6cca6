import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { LanguageSwitch } from '../i18n/language.tsx'
import { createApiKeyStore } from '../live/api-key-store.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import { BookForm } from './book-form.tsx'
import { ConnectionTests } from './connection-tests/connection-tests.tsx'
import { type LocalState, playgroundApi } from './playground-api.ts'
import styles from './playground.module.css'
import { BoundEngines } from './recordings/use-engine-options.ts'
import { RoomList } from './room-list.tsx'
import { RoomView } from './room-view.tsx'
import { useText } from './text.ts'
import { useAction } from './use-action.ts'
import { usePolled } from './use-polled.ts'
import { WebhookLog } from './webhook-log.tsx'

export function PlaygroundPage() {
  const text = useText()
  const [chosenId, setChosenId] = useState<string>()
  const local = usePolled(playgroundApi.state)
  const rooms = usePolled(playgroundApi.rooms)
  const list = rooms.data?.rooms
  const shownId = chosenId ?? list?.[0]?.id
  const middle = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosenId !== undefined && middle.current !== null) bringIntoView(middle.current)
  }, [chosenId])

  return (
    <div className={styles.page}>
      <Header local={local.data} />
      {(rooms.hasFailed || local.hasFailed) && (
        <p className={styles.unreachable} role="alert">
          {text.error.unreachable}
        </p>
      )}
      <BoundEngines value={local.data?.engines}>
        <main className={styles.main}>
          <div className={styles.side}>
            <BookForm
              onBooked={(room) => {
                setChosenId(room.id)
                rooms.refresh()
              }}
            />
            <RoomList rooms={list} shownId={shownId} onChoose={setChosenId} />
            <ConnectionTests />
          </div>
          <div className={styles.middle} ref={middle}>
            {shownId === undefined ? (
              <p className={styles.nothing}>{text.room.select}</p>
            ) : (
              <RoomView key={shownId} roomId={shownId} onChanged={rooms.refresh} />
            )}
            <WebhookLog />
          </div>
        </main>
      </BoundEngines>
      {local.data !== undefined && <LocalAddresses local={local.data} />}
    </div>
  )
}

/** On a phone the room stands far below what it is chosen by. */
function bringIntoView(part: HTMLElement): void {
  if (part.getBoundingClientRect().top > innerHeight / 2) part.scrollIntoView({ block: 'start' })
}

function Header({ local }: { local: LocalState | undefined }) {
  const text = useText()
  return (
    <header className={styles.header}>
      <div className={styles.brand}>
        <h1>
          {text.productName} <span>{text.title}</span>
        </h1>
        <p>{text.lead}</p>
      </div>
      {local !== undefined && <span className={styles.version}>v{local.version}</span>}
      <a className={styles.docs} href="/playground/board" target="_blank" rel="noreferrer">
        {text.board}
      </a>
      <ConsoleButton />
      {local !== undefined && local.docs_url !== null && (
        <a className={styles.docs} href={local.docs_url}>
          {text.docs}
        </a>
      )}
      <LanguageSwitch />
    </header>
  )
}

/** Opens the console of the demo tenant in this tab: the key goes there by the tab's storage, not by the address. */
function ConsoleButton() {
  const text = useText()
  const { isBusy, problem, run } = useAction()

  async function open(): Promise<void> {
    await run(async () => {
      const { api_key: apiKey } = await playgroundApi.consoleKey()
      createApiKeyStore(openTabStorage()).keep(apiKey)
      globalThis.location.assign('/console')
    })
  }

  return (
    <>
      <Button isPending={isBusy} onPress={() => void open()}>
        {text.console}
      </Button>
      {problem !== null && <p role="alert">{text.error.again}</p>}
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
