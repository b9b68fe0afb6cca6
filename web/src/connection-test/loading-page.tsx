import { PageShell } from '../design/page-shell.tsx'
import { useText } from '../i18n/text.ts'
import styles from './frame.module.css'
import { useTestText } from './test-text.ts'

export function LoadingPage() {
  const { productName } = useText()
  const { loading, pageTitle } = useTestText()
  return (
    <PageShell productName={productName}>
      <main className={styles.main}>
        <h1 className="visually-hidden">{pageTitle}</h1>
        <output>{loading}</output>
      </main>
    </PageShell>
  )
}
