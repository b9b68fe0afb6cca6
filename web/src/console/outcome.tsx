import type { OutcomeBody } from '@interview-room/contract/webhook-management.ts'
import { Badge } from '../design/badge.tsx'
import { CheckIcon, WarningIcon } from '../design/icons.tsx'
import { useText } from './console-text.ts'
import styles from './console.module.css'

/** The receiver's answer to an attempt that the person started with a button. */
export function Outcome({ outcome }: { outcome: OutcomeBody | undefined }) {
  const text = useText().outcome
  const attempt = outcome?.outcome
  return (
    <output className={styles.outcome}>
      {attempt === null && <span>{text.none}</span>}
      {attempt && (
        <Badge tone={attempt.is_accepted ? 'good' : 'danger'}>
          {attempt.is_accepted ? <CheckIcon /> : <WarningIcon />}
          <span>
            {attempt.is_accepted
              ? text.accepted(attempt.status ?? 0, attempt.duration_ms)
              : text.refused(attempt.error ?? '', attempt.duration_ms)}
          </span>
        </Badge>
      )}
    </output>
  )
}
