import { QUALITY_REPORT_EVERY_SEC, type ConnectionQuality } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { updateConnectionQuality } from './admission-store.ts'
import { shareRoomAsParticipant } from './admit.ts'
import { refuseWhileWaiting } from './rate-limit-error.ts'

/** The roles that see the connection quality of others. */
export const QUALITY_READERS: readonly Role[] = ['moderator', 'platform_observer']

/** Network delay may bring two reports closer together than they were sent. */
const SLACK_SEC = 2

/**
 * Stores what a page reports of its connection and its microphone, for the board and the roster. Throws 429
 * RATE_LIMIT_EXCEEDED when reports come too often.
 */
export async function reportConnectionQuality(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  holder: { roomId: string; admissionId: string; participantId: string | null },
  report: { quality: ConnectionQuality; is_microphone_silent?: boolean },
): Promise<void> {
  const line = {
    admissionId: holder.admissionId,
    quality: report.quality,
    isMicrophoneSilent: report.is_microphone_silent ?? false,
    at: clock(),
  }
  const noted = await inTransaction(db, async (tx) => {
    const locked = await shareRoomAsParticipant({ db: tx, clock }, holder)
    const known = await updateConnectionQuality(tx, line, QUALITY_REPORT_EVERY_SEC - SLACK_SEC)
    if (known?.isNews === true)
      await publishLiveEvent(tx, locked, { name: 'roster', roles: QUALITY_READERS })
    return known
  })
  if (noted === undefined) refuseWhileWaiting(QUALITY_REPORT_EVERY_SEC)
}
