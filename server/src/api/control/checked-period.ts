import { PERIOD_MAX_DAYS } from '@interview-room/contract/limits.ts'
import { checkedDateTime } from '../../platform/lib/date-time.ts'
import { refuseField } from '../../platform/lib/service-error.ts'

const DAY_MS = 86_400_000

/** Throws 422 VALIDATION_ERROR for a period without length, or one of more than `PERIOD_MAX_DAYS`. */
export function checkedPeriod(query: { from: string; to: string }): { from: Date; to: Date } {
  const [from, to] = [checkedDateTime(query.from), checkedDateTime(query.to)]
  const lengthMs = to.getTime() - from.getTime()
  if (lengthMs > 0 && lengthMs <= PERIOD_MAX_DAYS * DAY_MS) return { from, to }
  throw refuseField('VALIDATION_ERROR', {
    field: 'to',
    code: 'OUT_OF_RANGE',
    message: `must be after from, and at most ${PERIOD_MAX_DAYS} days later`,
  })
}
