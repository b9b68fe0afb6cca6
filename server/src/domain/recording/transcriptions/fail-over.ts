import type { Tx } from '../../../platform/db/db.ts'
import { giveUpParts } from './cancel-at-engine.job.ts'
import type { FailureReason } from './engines/engine.ts'
import { changeEngine } from './store.ts'
import { attemptsOf, type Transcription } from './transcription.ts'

/** Failures of the recording or of this service, which every engine would share. */
const OURS: ReadonlySet<FailureReason> = new Set(['unsupported_audio', 'internal'])

/**
 * Gives a locked transcription, whose engine failed for good, to the next one, in one step with the orders to delete what
 * the failed engine has. Returns false when no other engine is left or would help.
 */
export async function failOver(
  tx: Tx,
  locked: Transcription,
  { reason, at }: { reason: FailureReason; at: Date },
): Promise<boolean> {
  const [to, ...left] = locked.nextEngines
  const current = attemptsOf(locked).at(-1)
  if (to === undefined || current === undefined || OURS.has(reason)) return false
  await giveUpParts(tx, locked)
  const attempt = { ...current, ended_at: at.toISOString(), failure_reason: reason }
  await changeEngine(tx, locked.id, { attempt, to, left })
  return true
}
