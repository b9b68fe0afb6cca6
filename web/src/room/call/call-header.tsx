import type { CallFacts } from '../../connection/call-state.ts'
import { Badge } from '../../design/badge.tsx'
import { EyeIcon } from '../../design/icons.tsx'
import { LanguageSwitch, useLocale } from '../../i18n/language.tsx'
import { useLiveState } from '../../live/use-live.tsx'
import { SlotClock } from '../notices/slot-clock.tsx'
import { useText } from '../text.ts'
import styles from './call-header.module.css'

interface CallHeaderProps {
  facts: CallFacts
  phase: 'live' | 'reconnecting'
}

export function CallHeader({ facts, phase }: CallHeaderProps) {
  const text = useText()
  const locale = useLocale()
  const moved = useLiveState((state) => state.slot)
  const { startsAt, endsAt } = moved ?? facts
  const end = endsAt?.toLocaleTimeString(locale === 'ja' ? 'ja-JP' : 'en-GB', {
    hour: '2-digit',
    minute: '2-digit',
  })
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <h1>{facts.sessionName ?? text.productName}</h1>
        {end !== undefined && <span>{text.call.until(end)}</span>}
        {facts.me.role !== 'panelist' && startsAt !== null && endsAt !== null && (
          <SlotClock startsAt={startsAt} endsAt={endsAt} />
        )}
      </div>
      {!facts.capabilities.isVisible && (
        <p className={styles.watching}>
          <EyeIcon />
          {text.observer.badge}
        </p>
      )}
      <div className={styles.side}>
        <span data-testid="connection-state" data-state={phase}>
          <Badge tone={phase === 'live' ? 'good' : 'warn'}>
            <i className={styles.dot} data-state={phase} />
            {phase === 'live' ? text.call.live : text.call.reconnecting}
          </Badge>
        </span>
        <LanguageSwitch />
      </div>
    </header>
  )
}
