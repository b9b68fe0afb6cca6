import type { ReactNode } from 'react'
import { LanguageSwitch } from '../i18n/language.tsx'
import styles from './page-shell.module.css'

interface PageShellProps {
  productName: string
  /** The page's `main`. */
  children: ReactNode
  testId?: string
}

/** A page outside of a room: whose it is, the language, and one thing to deal with. */
export function PageShell({ productName, children, testId }: PageShellProps) {
  return (
    <div className={styles.page} data-testid={testId}>
      <header className={styles.header}>
        <span>{productName}</span>
        <LanguageSwitch />
      </header>
      {children}
    </div>
  )
}
