import type {
  ErasureBody,
  ErasurePreviewBody,
  LegalHoldBody,
} from '@interview-room/contract/data-protection.ts'
import type { RetentionBody } from '@interview-room/contract/retention.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { Erasure } from './erasure.ts'
import type { LegalHold } from './hold-store.ts'
import type { ErasurePreview } from './request-erasure.ts'
import type { RetentionDays } from './retention.ts'

export function presentErasure(erasure: Erasure): ErasureBody {
  const isWaiting = erasure.state === 'waiting'
  return {
    id: erasure.id,
    state: erasure.state,
    subject: erasure.subject,
    recordings: erasure.recordings,
    requested_at: erasure.requestedAt.toISOString(),
    requested_by: erasure.requestedBy,
    waits_until: (isWaiting && erasure.waitsUntil?.toISOString()) || null,
    removed: erasure.removed,
    remains: [...erasure.remains],
    finished_at: erasure.finishedAt?.toISOString() ?? null,
    receipt: erasure.receipt,
    previous_erasure_id: erasure.previousErasureId,
  }
}

export function presentPreview(preview: ErasurePreview): ErasurePreviewBody {
  return {
    subject: preview.subject,
    removed: preview.removed,
    remains: preview.remains,
    waits_until: preview.waitsUntil?.toISOString() ?? null,
  }
}

export function presentHold(hold: LegalHold): LegalHoldBody {
  return {
    id: hold.id,
    room_id: hold.roomId,
    external_type: hold.externalType,
    external_id: hold.externalId,
    reason: hold.reason,
    created_at: hold.createdAt.toISOString(),
  }
}

export function presentRetention(
  { config }: Pick<Deps, 'config'>,
  { recordings, chat, handouts }: RetentionDays,
): RetentionBody {
  return {
    recordings_days: recordings,
    chat_days: chat,
    handouts_days: handouts,
    recordings_days_max: config.recordingRetentionDays ?? null,
  }
}
