import type { UsageBody } from '@interview-room/contract/management.ts'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { readQuotaUse } from '../booking/quotas.ts'
import { type Period, sumUsage } from './usage-store.ts'

const SEC_PER_MIN = 60

/** The tenant's usage in a validated period. */
export async function readUsage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { tenantLimits, ...period }: Period & { tenantLimits: TenantLimits },
): Promise<UsageBody> {
  const { tenantId, from, to } = period
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

/** Rounds to a tenth. */
function toMinutes(sec: number): number {
  return Math.round((sec / SEC_PER_MIN) * 10) / 10
}
