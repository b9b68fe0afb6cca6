import type { ConsentText } from '@interview-room/contract/consent.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useLocale } from '../i18n/language.tsx'
import styles from './about-list.module.css'
import { textFor } from './text-for.ts'

const FIELDS = ['company', 'purpose', 'retention', 'contact'] as const

/** The responsible company, the purpose, the retention and the contact. */
export function AboutList({ texts }: { texts: readonly ConsentText[] }) {
  const words = useConsentText().about
  const text = textFor(texts, useLocale())
  if (text === undefined) return null
  return (
    <dl className={styles.about}>
      {FIELDS.map((field) => (
        <div key={field}>
          <dt>{words[field]}</dt>
          <dd>{text[field]}</dd>
        </div>
      ))}
    </dl>
  )
}
