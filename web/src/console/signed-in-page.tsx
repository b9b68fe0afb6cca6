import type { ApiKeyBody } from '@interview-room/contract/management.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import type { SignedIn } from './console-context.ts'
import { ConsoleFrame } from './console-frame.tsx'
import { consoleSections } from './console-sections.ts'
import { useText } from './console-text.ts'

/** A key that expires within this time is announced. */
const EXPIRES_SOON_MS = 14 * 86_400_000

interface SignedInPageProps {
  signedIn: SignedIn
  onSignOut: () => void
}

export function SignedInPage({ signedIn, onSignOut }: SignedInPageProps) {
  const text = useText()
  const { key } = signedIn
  return (
    <ConsoleFrame
      signedIn={signedIn}
      title={text.title}
      lead={text.signedInAs(key.note ?? key.key_id)}
      actions={<Button onPress={onSignOut}>{text.signOut}</Button>}
      notice={<ExpiryNotice apiKey={key} />}
      sections={consoleSections(text)}
    />
  )
}

function ExpiryNotice({ apiKey: { expires_at: expiresAt } }: { apiKey: ApiKeyBody }) {
  const text = useText()
  const locale = useLocale()
  // Read only once. A page that stays open for days learns of the expiry from the 401.
  const [nowMs] = useState(() => Date.now())
  if (expiresAt === null || Date.parse(expiresAt) - nowMs > EXPIRES_SOON_MS) return null
  return <Notice title={text.expires(momentText(expiresAt, locale))}>{text.expiresRemedy}</Notice>
}
