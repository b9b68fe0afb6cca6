import type { CallFacts } from '../connection/call-state.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useLocale } from '../i18n/language.tsx'
import styles from './farewell.module.css'
import { type Rate, Rating } from './rating.tsx'

interface FarewellProps {
  facts: CallFacts
  /** Absent where the interview did not take place. */
  onRate?: Rate | undefined
}

/** For the person who was interviewed: how it was, whom to ask, and the way back. */
export function Farewell({ facts, onRate }: FarewellProps) {
  const text = useConsentText().farewell
  const locale = useLocale()
  const { consents, returnUrl } = facts
  const contact = consents.texts.find(({ language }) => language === locale)?.contact
  return (
    <div className={styles.farewell}>
      {onRate !== undefined && <Rating onRate={onRate} />}
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
