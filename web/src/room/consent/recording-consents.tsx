import { useConsentText } from '../../i18n/consent-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { openConsentsOf } from './open-consents.ts'

/** Tells a moderator which consents the recording is waiting for now. */
export function RecordingConsents() {
  const text = useConsentText().staff
  const roster = useLiveState((state) => state.roster)
  const { pending, refused } = openConsentsOf(roster)
  const isAsked = roster.some(({ consents }) => consents !== undefined)
  if (!isAsked) return null
  return (
    <output aria-label={text.title}>
      {pending.length > 0 && <p>{text.waits(pending.join(text.separator))}</p>}
      {refused.length > 0 && <p>{text.refused(refused.join(text.separator))}</p>}
      {pending.length + refused.length === 0 && <p>{text.everybody}</p>}
    </output>
  )
}
