import { TOKEN_KEY_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { TokenKeyRequest, TokenKeyBody } from '@interview-room/contract/management.ts'
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

const ALGS: readonly TokenKeyRequest['alg'][] = ['ES256', 'EdDSA', 'RS256']
const TONES = { active: 'good', retired: 'calm', revoked: 'danger' } as const

export function TokenKeys() {
  const { api } = useConsole()
  const text = useText().tokenKeys
  const load = useCallback(
    (cursor?: string) =>
      api<'listTokenKeys'>('GET', '/token-keys', {
        query: { limit: 100, ...(cursor && { cursor }) },
      }),
    [api],
  )
  const list = useList(load)
  return (
    <>
      <RegisterForm onRegistered={list.refresh} />
      <ListPanel title={text.title} empty={text.empty} list={list}>
        {(key) => <KeyRow key={key.kid} tokenKey={key} onChanged={list.refresh} />}
      </ListPanel>
    </>
  )
}

function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const { api } = useConsole()
  const text = useText().tokenKeys
  const [kid, setKid] = useState('')
  const [alg, setAlg] = useState<TokenKeyRequest['alg']>('ES256')
  const [jwk, setJwk] = useState('')
  const { isBusy, error, run } = useAction()
  const publicJwk = readJwk(jwk)
  const isMalformed = jwk.trim() !== '' && publicJwk === undefined

  async function register(): Promise<void> {
    if (publicJwk === undefined) return
    const isDone = await run(async () => {
      const body = { kid, alg, public_jwk: publicJwk }
      await api<'registerTokenKey'>('POST', '/token-keys', { body })
      onRegistered()
    })
    if (!isDone) return
    setKid('')
    setJwk('')
  }

  return (
    <Panel title={text.newTitle}>
      <p className={styles.lead}>{text.newLead}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void register()
        }}
      >
        <NameAndAlg {...{ kid, alg, onKid: setKid, onAlg: setAlg }} />
        <label className={styles.wide}>
          {text.jwk}
          <textarea
            required
            rows={5}
            spellCheck={false}
            value={jwk}
            aria-invalid={isMalformed}
            aria-describedby="jwk-problem"
            onChange={(event) => setJwk(event.target.value)}
          />
        </label>
        <div className={styles.wide}>
          <p id="jwk-problem" className={styles.problem}>
            {isMalformed && text.malformed}
          </p>
          <Button type="submit" look="primary" isPending={isBusy}>
            {text.register}
          </Button>
          <Problem error={error} />
        </div>
      </form>
    </Panel>
  )
}

interface NameAndAlgProps {
  kid: string
  alg: TokenKeyRequest['alg']
  onKid: (kid: string) => void
  onAlg: (alg: TokenKeyRequest['alg']) => void
}

function NameAndAlg({ kid, alg, onKid, onAlg }: NameAndAlgProps) {
  const text = useText().tokenKeys
  return (
    <>
      <label>
        {text.kid}
        <input
          required
          maxLength={TOKEN_KEY_NAME_MAX}
          value={kid}
          onChange={(event) => onKid(event.target.value)}
        />
      </label>
      <label>
        {text.alg}
        <select
          value={alg}
          onChange={({ target }) => onAlg(ALGS.find((each) => each === target.value) ?? 'ES256')}
        >
          {ALGS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </>
  )
}

/** Undefined if the text is not a JSON object. */
function readJwk(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function KeyRow({ tokenKey, onChanged }: { tokenKey: TokenKeyBody; onChanged: () => void }) {
  const { api } = useConsole()
  const words = useText()
  const text = words.tokenKeys
  const locale = useLocale()
  const { kid, status } = tokenKey
  const when = (at: string | null) => (at === null ? '–' : momentText(at, locale))

  async function end(ending: 'retired' | 'revoked'): Promise<void> {
    await api<'patchTokenKey'>('PATCH', `/token-keys/${encodeURIComponent(kid)}`, {
      body: { status: ending },
    })
    onChanged()
  }

  return (
    <li className={styles.row}>
      <div className={styles.rowTitle}>
        <strong>{kid}</strong>
        <Badge tone={TONES[status]}>{text.status[status]}</Badge>
      </div>
      <Facts
        facts={[
          [text.alg, tokenKey.alg],
          [text.roles, tokenKey.allowed_roles.join(', ')],
          [text.created, when(tokenKey.created_at)],
          [text.notBefore, when(tokenKey.not_before)],
          [text.notAfter, when(tokenKey.not_after)],
        ]}
      />
      <div className={styles.buttons}>
        {status === 'active' && (
          <ConfirmButton
            label={text.retire}
            words={{
              ...words.confirm,
              title: text.retireTitle(kid),
              body: text.retireBody,
              confirm: text.retire,
            }}
            onConfirm={() => end('retired')}
          />
        )}
        {status !== 'revoked' && (
          <ConfirmButton
            label={text.revoke}
            words={{
              ...words.confirm,
              title: text.revokeTitle(kid),
              body: text.revokeBody,
              confirm: text.revoke,
            }}
            onConfirm={() => end('revoked')}
          />
        )}
      </div>
    </li>
  )
}
