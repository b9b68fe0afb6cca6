import { QUALITY_REPORT_EVERY_SEC, type ConnectionQuality } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { updateConnectionQuality } from './admission-store.ts'
import { shareRoomAsParticipant } from './admit.ts'
import { refuseWhileWaiting } from './rate-limit-error.ts'

/** Who learns in the room how the lines are: those who look after everybody. */
export const QUALITY_READERS: readonly Role[] = ['moderator', 'platform_observer']

/** Reports come over the network: two that left in time may arrive closer to each other. */
const SLACK_SEC = 2

/**
 * Notes how good somebody's line is by their own page, for the board of the operators and the
 * roster. Throws 429 RATE_LIMIT_EXCEEDED when it comes too often.
 */
export async function reportLine(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  holder: { roomId: string; admissionId: string; participantId: string | null },
  quality: ConnectionQuality,
): Promise<void> {
  const line = { admissionId: holder.admissionId, quality, at: clock() }
  const noted = await inTransaction(db, async (tx) => {
    const locked = await shareRoomAsParticipant({ db: tx, clock }, holder)
    const known = await updateConnectionQuality(tx, line, QUALITY_REPORT_EVERY_SEC - SLACK_SEC)
    const isNews = known !== undefined && known.before !== quality
    if (isNews) await publishLiveEvent(tx, locked, { name: 'roster', roles: QUALITY_READERS })
    return known
  })
  if (noted === undefined) refuseWhileWaiting(QUALITY_REPORT_EVERY_SEC)
}
