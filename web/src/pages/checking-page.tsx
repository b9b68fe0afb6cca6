import { PageShell } from '../design/page-shell.tsx'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import styles from './message-page.module.css'

/** For the moment in which it is not known yet whether the person may enter. */
export function CheckingPage() {
  const { checking } = useConsentText()
  return (
    <PageShell productName={useText().productName}>
      <main className={styles.card} aria-busy="true">
        <h1>{checking}</h1>
      </main>
    </PageShell>
  )
}
