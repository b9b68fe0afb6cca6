import { RETENTION_DAYS_MAX } from '@interview-room/contract/limits.ts'
import { RETENTION_KINDS } from '@interview-room/contract/retention.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteNotices, deleteRule, listRules, lockRule, upsertRule } from './retention-store.ts'
import type { RetentionDays } from './retention.ts'

export async function readRetention(query: Query, tenantId: string): Promise<RetentionDays> {
  const rules = await listRules(query, tenantId)
  return {
    recordings: null,
    chat: null,
    handouts: null,
    ...Object.fromEntries(rules.map(({ kind, days }) => [kind, days])),
  }
}

/**
 * Changes the given rules; null removes one. Records with a notice under a rule that is removed or becomes longer get
 * another notice in time. Throws 422 VALIDATION_ERROR for recordings that the operator deletes earlier.
 */
export async function changeRetention(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  { tenantId, changes }: { tenantId: string; changes: Partial<RetentionDays> },
): Promise<RetentionDays> {
  refuseTooLong(changes, config.recordingRetentionDays)
  for (const kind of RETENTION_KINDS) {
    const days = changes[kind]
    if (days === undefined) continue
    const before = await lockRule(tx, { tenantId, kind })
    if (days === null) await deleteRule(tx, { tenantId, kind })
    else await upsertRule(tx, { tenantId, kind, days, at: clock() })
    if (before !== undefined && (days ?? Infinity) > before)
      await deleteNotices(tx, { tenantId, kind })
  }
  return readRetention(tx, tenantId)
}

function refuseTooLong({ recordings }: Partial<RetentionDays>, max = RETENTION_DAYS_MAX): void {
  if ((recordings ?? 0) <= max) return
  throw refuseField('VALIDATION_ERROR', {
    field: 'recordings_days',
    code: 'OUT_OF_RANGE',
    message: `must be at most ${max}, the days for which the operator keeps recordings`,
  })
}
