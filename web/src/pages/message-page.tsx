import type { ReactNode } from 'react'
import { PageShell } from '../design/page-shell.tsx'
import { useFocusOnArrival } from '../design/use-focus-on-arrival.ts'
import { useText } from '../i18n/text.ts'
import { HelpContact } from './help-contact.tsx'
import styles from './message-page.module.css'

interface MessagePageProps {
  icon: ReactNode
  title: string
  body: string
  children?: ReactNode
  action?: ReactNode
}

/** A page with one message and at most one action. */
export function MessagePage({ icon, title, body, children, action }: MessagePageProps) {
  const text = useText()
  const heading = useFocusOnArrival()

  return (
    <PageShell productName={text.productName}>
      <main className={styles.card}>
        <div className={styles.icon}>{icon}</div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p>{body}</p>
        {children}
        <HelpContact />
        {action !== undefined && <div className={styles.action}>{action}</div>}
      </main>
    </PageShell>
  )
}
