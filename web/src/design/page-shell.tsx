import type { ReactNode } from 'react'
import { LanguageSwitch } from '../i18n/language.tsx'
import { BrandMark } from './branding.tsx'
import styles from './page-shell.module.css'

interface PageShellProps {
  productName: string
  /** The page's `main`. */
  children: ReactNode
}

/** A page outside of a room: whose it is, the language, and one thing to deal with. */
export function PageShell({ productName, children }: PageShellProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <BrandMark productName={productName} />
        <LanguageSwitch />
      </header>
      {children}
    </div>
  )
}
