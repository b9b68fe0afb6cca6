import { API_KEY_NOTE_MAX } from '@interview-room/contract/limits.ts'
import type {
  ApiKeyBody,
  ApiKeyScope,
  IssuedApiKeyBody,
} from '@interview-room/contract/management.ts'
import { useCallback, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { ConfirmButton } from '../design/confirm-button.tsx'
import { Panel } from '../design/panel.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { useAction } from '../pages/use-action.ts'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { Facts, ListPanel, Problem } from './list-panel.tsx'
import { useList } from './use-list.ts'

const SCOPES: readonly ApiKeyScope[] = ['control', 'manage']

export function ApiKeys() {
  const { api, showSecret } = useConsole()
  const text = useText().apiKeys
  const load = useCallback(
    (cursor?: string) =>
      api<'listApiKeys'>('GET', '/api-keys', { query: { limit: 100, ...(cursor && { cursor }) } }),
    [api],
  )
  const list = useList(load)
  function show(key: IssuedApiKeyBody): void {
    showSecret({ of: 'api-key', name: key.note ?? key.key_id, secret: key.api_key })
    list.refresh()
  }
  return (
    <>
      <IssueForm onIssued={show} />
      <ListPanel title={text.title} empty={text.empty} list={list}>
        {(key) => (
          <KeyRow key={key.key_id} apiKey={key} onChanged={list.refresh} onRotated={show} />
        )}
      </ListPanel>
    </>
  )
}

function IssueForm({ onIssued }: { onIssued: (key: IssuedApiKeyBody) => void }) {
  const { api } = useConsole()
  const text = useText().apiKeys
  const [note, setNote] = useState('')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(['control'])
  const [end, setEnd] = useState('')
  const { isBusy, error, run } = useAction()

  async function issue(): Promise<void> {
    const isDone = await run(async () => {
      const body = {
        ...(note.trim() !== '' && { note: note.trim() }),
        scopes: [...scopes],
        ...(end !== '' && { expires_at: new Date(end).toISOString() }),
      }
      onIssued(await api<'issueApiKey'>('POST', '/api-keys', { body }))
    })
    if (isDone) setNote('')
  }

  return (
    <Panel title={text.newTitle}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void issue()
        }}
      >
        <label>
          {text.note}
          <input
            value={note}
            maxLength={API_KEY_NOTE_MAX}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <label>
          {text.end}
          <input
            type="datetime-local"
            value={end}
            onChange={(event) => setEnd(event.target.value)}
          />
        </label>
        <ScopeChoices scopes={scopes} onChange={setScopes} />
        <div className={styles.wide}>
          <Button type="submit" look="primary" isPending={isBusy} isDisabled={scopes.length === 0}>
            {text.issue}
          </Button>
          <Problem error={error} />
        </div>
      </form>
    </Panel>
  )
}

interface ScopeChoicesProps {
  scopes: readonly ApiKeyScope[]
  onChange: (scopes: readonly ApiKeyScope[]) => void
}

function ScopeChoices({ scopes, onChange }: ScopeChoicesProps) {
  const { scopes: descriptions, scopesLabel } = useText().apiKeys
  return (
    <fieldset className={styles.choices}>
      <legend>{scopesLabel}</legend>
      {SCOPES.map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              onChange(
                SCOPES.filter((each) => (each === scope ? target.checked : scopes.includes(each))),
              )
            }
          />
          <code>{scope}</code>
          <span>{descriptions[scope]}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface KeyRowProps {
  apiKey: ApiKeyBody
  onChanged: () => void
  onRotated: (key: IssuedApiKeyBody) => void
}

function KeyRow({ apiKey, onChanged, onRotated }: KeyRowProps) {
  const { key: own } = useConsole()
  const text = useText().apiKeys
  const locale = useLocale()
  const [nowMs] = useState(() => Date.now())
  const { note, key_id: keyId, scopes, expires_at: expiresAt, revoked_at: revokedAt } = apiKey
  const when = (at: string | null) => (at === null ? '–' : momentText(at, locale))
  const isOwn = keyId === own.key_id
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  return (
    <li className={styles.row}>
      <div className={styles.rowTitle}>
        <strong>{note ?? keyId}</strong>
        {isOwn && <Badge tone="accent">{text.own}</Badge>}
        {revokedAt !== null && <Badge tone="danger">{text.revoked}</Badge>}
        {revokedAt === null && isExpired && <Badge tone="warn">{text.expired}</Badge>}
      </div>
      <Facts
        facts={[
          [text.keyId, <code key="id">{keyId}</code>],
          [text.scopesLabel, scopes.join(', ')],
          [text.created, when(apiKey.created_at)],
          [text.lastUsed, when(apiKey.last_used_at)],
          [text.end, when(expiresAt)],
        ]}
      />
      {revokedAt === null && (
        <div className={styles.buttons}>
          {!isExpired && <RotateButton apiKey={apiKey} onRotated={onRotated} />}
          <RevokeButton apiKey={apiKey} onChanged={onChanged} />
        </div>
      )}
    </li>
  )
}

function RotateButton({ apiKey, onRotated }: Pick<KeyRowProps, 'apiKey' | 'onRotated'>) {
  const { api } = useConsole()
  const words = useText()
  const text = words.apiKeys
  const { note, key_id: keyId } = apiKey
  return (
    <ConfirmButton
      label={text.rotate}
      words={{
        ...words.confirm,
        title: text.rotateTitle(note ?? keyId),
        body: text.rotateBody,
        confirm: text.rotate,
      }}
      onConfirm={async () =>
        onRotated(await api<'rotateApiKey'>('POST', `/api-keys/${keyId}/rotate`))
      }
    />
  )
}

function RevokeButton({ apiKey, onChanged }: Pick<KeyRowProps, 'apiKey' | 'onChanged'>) {
  const { api, key: own } = useConsole()
  const words = useText()
  const text = words.apiKeys
  const { note, key_id: keyId } = apiKey
  return (
    <ConfirmButton
      label={text.revoke}
      words={{
        ...words.confirm,
        title: text.revokeTitle(note ?? keyId),
        body: keyId === own.key_id ? text.revokeOwnBody : text.revokeBody,
        confirm: text.revoke,
      }}
      onConfirm={async () => {
        await api<'revokeApiKey'>('DELETE', `/api-keys/${keyId}`)
        onChanged()
      }}
    />
  )
}
