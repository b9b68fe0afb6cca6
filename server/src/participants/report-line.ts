import { LINE_REPORT_EVERY_SEC, type LineQuality } from '@interview-room/contract/board.ts'
import type { Deps } from '../deps.ts'
import { refuseWhileWaiting } from '../live/refuse-haste.ts'
import { updateLine } from './store.ts'

/** Reports come over the network: two that left in time may arrive closer to each other. */
const SLACK_SEC = 2

/**
 * Notes how good somebody's line is by their own page, for the board of the operators. Throws 429
 * RATE_LIMIT_EXCEEDED when it comes too often.
 */
export async function reportLine(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { admissionId }: { admissionId: string },
  quality: LineQuality,
): Promise<void> {
  const line = { admissionId, quality, at: clock() }
  const isNoted = await updateLine(db, line, LINE_REPORT_EVERY_SEC - SLACK_SEC)
  if (!isNoted) refuseWhileWaiting(LINE_REPORT_EVERY_SEC)
}
