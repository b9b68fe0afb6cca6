import { type FC, type ReactNode, useCallback, useMemo, useState } from 'react'
import { SkipLink } from '../design/skip-link.tsx'
import { LanguageSwitch } from '../i18n/language.tsx'
import { ConsoleContext, type ShownSecret, type SignedIn } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { SecretNotice } from './secret-notice.tsx'

export interface Section {
  name: string
  label: string
  Content: FC
}

interface ConsoleFrameProps {
  signedIn: SignedIn
  title: string
  lead: string
  /** In the header, before the language switch. */
  actions: ReactNode
  /** Above the sections. */
  notice?: ReactNode
  /** The first section is open at the beginning. */
  sections: readonly [Section, ...Section[]]
  footer?: ReactNode
}

/** The sections of a tenant whose key is accepted. One of them is open. */
export function ConsoleFrame({ signedIn, title, lead, sections, ...parts }: ConsoleFrameProps) {
  const text = useText()
  const [first] = sections
  const [openName, setOpenName] = useState(first.name)
  // Kept here, because a section loses its state when another one is opened.
  const [secrets, setSecrets] = useState<readonly ShownSecret[]>([])
  const showSecret = useCallback(
    (secret: ShownSecret) => setSecrets((before) => [secret, ...before]),
    [],
  )
  const inConsole = useMemo(() => ({ ...signedIn, showSecret }), [signedIn, showSecret])
  const { name: shown, Content } = sections.find(({ name }) => name === openName) ?? first
  return (
    <ConsoleContext value={inConsole}>
      <div className={styles.page}>
        <SkipLink />
        <header className={styles.header}>
          <div className={styles.brand}>
            <h1>
              {text.productName} <span>{title}</span>
            </h1>
            <p>{lead}</p>
          </div>
          {parts.actions}
          <LanguageSwitch />
        </header>
        {parts.notice}
        {secrets.map((secret) => (
          <SecretNotice
            key={secret.secret}
            shown={secret}
            onDone={() => setSecrets((before) => before.filter((each) => each !== secret))}
          />
        ))}
        <nav className={styles.nav} aria-label={text.sectionsLabel}>
          {sections.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              {...(name === shown && { 'aria-current': 'page' })}
              onClick={() => setOpenName(name)}
            >
              {label}
            </button>
          ))}
        </nav>
        <main className={styles.main}>
          <Content />
        </main>
        {parts.footer}
      </div>
    </ConsoleContext>
  )
}
