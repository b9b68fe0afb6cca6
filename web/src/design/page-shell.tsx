import type { ReactNode } from 'react'
import { LanguageSwitch } from '../i18n/language.tsx'
import { BrandMark } from './branding.tsx'
import styles from './page-shell.module.css'
import { SkipLink } from './skip-link.tsx'

interface PageShellProps {
  productName: string
  /** The content of the page's `main`. */
  children: ReactNode
}

/** A page outside of a room, with the tenant's brand, the language switch and one message or task. */
export function PageShell({ productName, children }: PageShellProps) {
  return (
    <div className={styles.page}>
      <SkipLink />
      <header className={styles.header}>
        <BrandMark productName={productName} />
        <LanguageSwitch />
      </header>
      {children}
    </div>
  )
}
