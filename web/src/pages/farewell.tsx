import type { CallFacts } from '../connection/call-state.ts'
import { useConsentText } from '../i18n/consent-text.ts'
import { useLocale } from '../i18n/language.tsx'
import styles from './farewell.module.css'
import { type Rate, Rating } from './rating.tsx'

interface FarewellProps {
  facts: CallFacts
  /** Absent if the interview did not take place. */
  onRate?: Rate | undefined
}

/** The last page for the respondent: the rating, a contact, and the way back. */
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

/** True for respondents. Staff do not see the farewell. */
export function isInterviewed(facts: CallFacts | undefined): facts is CallFacts {
  return facts?.me.role === 'panelist'
}
