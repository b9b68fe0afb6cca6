import { USAGE_PERIOD_MAX_DAYS } from '@interview-room/contract/limits.ts'
import type { UsageBody } from '@interview-room/contract/management.ts'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readQuotaUse } from '../booking/quotas.ts'
import { type Period, sumUsage } from './usage-store.ts'

const DAY_MS = 86_400_000
const SEC_PER_MIN = 60

/** Throws 422 VALIDATION_ERROR for a period without length, or one that is too long. */
export async function readUsage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { tenantLimits, ...period }: Period & { tenantLimits: TenantLimits },
): Promise<UsageBody> {
  const { tenantId, from, to } = period
  const lengthMs = to.getTime() - from.getTime()
  if (lengthMs <= 0 || lengthMs > USAGE_PERIOD_MAX_DAYS * DAY_MS) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'to',
      code: 'OUT_OF_RANGE',
      message: `must be after from, and at most ${USAGE_PERIOD_MAX_DAYS} days later`,
    })
  }
  const usage = await sumUsage(db, period)
  const { roomsOpen, storedBytes } = await readQuotaUse(db, { tenantId, now: clock() })
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    rooms_booked: usage.roomsBooked,
    entries: usage.entries,
    participant_minutes: toMinutes(usage.participantSec),
    recordings: usage.recordings,
    recorded_minutes: toMinutes(usage.recordedSec),
    transcriptions: usage.transcriptions,
    connection_tests: usage.connectionTests,
    rooms_open: roomsOpen,
    stored_bytes: storedBytes,
    limits: {
      requests_per_min: tenantLimits.requestsPerMin,
      rooms_open: tenantLimits.roomsMax,
      stored_bytes: tenantLimits.storedBytesMax,
    },
  }
}

/** To a tenth. */
function toMinutes(sec: number): number {
  return Math.round((sec / SEC_PER_MIN) * 10) / 10
}
