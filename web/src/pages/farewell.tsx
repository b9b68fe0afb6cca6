import type { CallFacts } from '../connection/call-state.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useLocale } from '../i18n/language.tsx'
import styles from './farewell.module.css'

/** For the person who was interviewed: whom to ask, and the way back. */
export function Farewell({ facts }: { facts: CallFacts }) {
  const text = useConsentText().farewell
  const locale = useLocale()
  const { consents, returnUrl } = facts
  const contact = consents.texts.find(({ language }) => language === locale)?.contact
  return (
    <div className={styles.farewell}>
      {contact !== undefined && <p>{text.contact(contact)}</p>}
      {returnUrl !== null && (
        <a className={styles.back} href={returnUrl}>
          {text.back}
        </a>
      )}
    </div>
  )
}

/** Staff have no need of it. */
export function isInterviewed(facts: CallFacts | undefined): facts is CallFacts {
  return facts?.me.role === 'panelist'
}
