import type { MouseEvent } from 'react'
import { useLocale } from '../i18n/language.tsx'
import styles from './skip-link.module.css'

const WORDS = { ja: '本文へ移動', en: 'Skip to the content' } as const

/** Moves the focus past the header. It is the first thing on a page, and is seen only while it has the focus. */
export function SkipLink() {
  const locale = useLocale()
  return (
    <a className={styles.skip} href="#main" onClick={focusMain}>
      {WORDS[locale]}
    </a>
  )
}

/** Leaves the address as it is: it may hold the token of a link. */
function focusMain(event: MouseEvent): void {
  event.preventDefault()
  const main = document.querySelector('main')
  if (main === null) return
  // A room's parts of `main` are placed by the page, so the first of them takes the focus.
  const part = main.querySelector<HTMLElement>('[data-region]')
  if (part !== null) return part.focus()
  main.tabIndex = -1
  main.focus()
}
