import type { ApiKeyBody } from '@interview-room/contract/management.ts'
import { type FC, useMemo, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { LanguageSwitch, useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { AccessLog } from './access-log.tsx'
import { ApiKeys } from './api-keys.tsx'
import type { ConsoleApi } from './console-api.ts'
import { ConsoleContext } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { Events } from './events.tsx'
import { Rooms } from './rooms.tsx'
import { TokenKeys } from './token-keys.tsx'
import { Usage } from './usage.tsx'

const SECTIONS = {
  rooms: Rooms,
  endpoints: Endpoints,
  deliveries: Deliveries,
  events: Events,
  apiKeys: ApiKeys,
  tokenKeys: TokenKeys,
  accessLog: AccessLog,
  usage: Usage,
} as const satisfies Record<string, FC>
type SectionName = keyof typeof SECTIONS

const NAMES = Object.keys(SECTIONS) as SectionName[]
/** A key that ends within this time is announced. */
const EXPIRES_SOON_MS = 14 * 86_400_000

interface SignedInPageProps {
  api: ConsoleApi
  apiKey: ApiKeyBody
  onSignOut: () => void
}

export function SignedInPage({ api, apiKey, onSignOut }: SignedInPageProps) {
  const text = useText()
  const [shown, setShown] = useState<SectionName>('rooms')
  const signedIn = useMemo(() => ({ api, key: apiKey }), [api, apiKey])
  const Section = SECTIONS[shown]
  return (
    <ConsoleContext value={signedIn}>
      <div className={styles.page}>
        <header className={styles.header}>
          <div className={styles.brand}>
            <h1>
              {text.productName} <span>{text.title}</span>
            </h1>
            <p>{text.signedInAs(apiKey.note ?? apiKey.key_id)}</p>
          </div>
          <Button onPress={onSignOut}>{text.signOut}</Button>
          <LanguageSwitch />
        </header>
        <ExpiryNotice apiKey={apiKey} />
        <nav className={styles.nav} aria-label={text.sectionsLabel}>
          {NAMES.map((name) => (
            <button
              key={name}
              type="button"
              {...(name === shown && { 'aria-current': 'page' })}
              onClick={() => setShown(name)}
            >
              {text.sections[name]}
            </button>
          ))}
        </nav>
        <main className={styles.main}>
          <Section />
        </main>
      </div>
    </ConsoleContext>
  )
}

function ExpiryNotice({ apiKey: { expires_at: expiresAt } }: { apiKey: ApiKeyBody }) {
  const text = useText()
  const locale = useLocale()
  // Read once: a page that stays open for days learns it from the 401.
  const [nowMs] = useState(() => Date.now())
  if (expiresAt === null || Date.parse(expiresAt) - nowMs > EXPIRES_SOON_MS) return null
  return <Notice title={text.expires(momentText(expiresAt, locale))}>{text.expiresRemedy}</Notice>
}
