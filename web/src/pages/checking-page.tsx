import { PageShell } from '../design/page-shell.tsx'
import { useFocusOnArrival } from '../design/use-focus-on-arrival.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useText } from '../i18n/text.ts'
import styles from './message-page.module.css'

/** Shown while the check for permission to enter runs. */
export function CheckingPage() {
  const { checking } = useConsentText()
  const { productName } = useText()
  const heading = useFocusOnArrival()
  return (
    <PageShell productName={productName}>
      <main className={styles.card} aria-busy="true">
        <h1 ref={heading} tabIndex={-1}>
          {checking}
        </h1>
      </main>
    </PageShell>
  )
}
