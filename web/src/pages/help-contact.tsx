import { useBranding } from '../design/branding.tsx'
import { usePeopleText } from '../i18n/people-text.ts'
import styles from './help-contact.module.css'

/** The contact for help, if the tenant has named one. */
export function HelpContact() {
  const text = usePeopleText()
  const contact = useBranding()?.help_contact
  return contact == null ? null : <p className={styles.contact}>{text.helpContact(contact)}</p>
}
