import { LanguageSwitch } from '../i18n/language.tsx'
import { useText } from '../room/text.ts'
import styles from './frame.module.css'
import { useTestText } from './test-text.ts'

export function LoadingPage() {
  const { productName } = useText()
  const { loading, pageTitle } = useTestText()
  return (
    <div className={styles.page} data-testid="test-loading">
      <header className={styles.header}>
        <span>{productName}</span>
        <LanguageSwitch />
      </header>
      <main className={styles.main}>
        <h1 className="visually-hidden">{pageTitle}</h1>
        <output>{loading}</output>
      </main>
    </div>
  )
}
