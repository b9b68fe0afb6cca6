import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Job, JobRequest } from '../../../platform/jobs/job.ts'
import { findSimulation } from '../../../platform/sandbox/simulation.ts'
import type { Engines } from './engines/bind-engines.ts'
import { deleteParts, markLost, type Part, referenceOf } from './part-store.ts'
import { deleteRowsOf, listUnfinishedOf } from './store.ts'

const KIND = 'cancel-at-engine'
/** Pause after the first, second, ... failure. After the last one, the engine's own retention deletes the data. */
const RETRY_AFTER_SEC = [10, 60, 600, 3600, 3600]
/** Number of searches for a job that may still have been on its way when it was abandoned. They span 11 minutes. */
const LOOKS = 4

interface AtEngine {
  provider: TranscriptionEngine
  /** Null if the engine may or may not have accepted the job. */
  providerId: string | null
  reference: string
}

function cancelRequest({ provider, providerId, reference }: AtEngine): JobRequest {
  return { kind: KIND, key: reference, payload: { provider, providerId } }
}

/** Deletes a transcription's data at an engine after the transcription has ended or was deleted. */
export function cancelAtEngineJob(engines: Engines): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1],
    async run({ key: reference, payload, attempt, signal }) {
      const { provider, providerId } = payload as unknown as AtEngine
      const engine = engines[provider]
      const found = providerId ?? (await engine?.find?.(reference, signal))
      if (found !== undefined) await engine?.cancel?.(found, signal)
      // The worker may have been killed while it was sending, so the job may still appear at the engine.
      else if (engine?.find !== undefined && attempt < LOOKS) {
        throw new Error(`the engine does not have it yet (look ${attempt} of ${LOOKS})`)
      }
      return { outcome: 'done' }
    },
  }
}

/** Cancels the parts at the engine, in the transaction that ends or deletes the transcription. */
export async function giveUpParts(
  tx: Tx,
  { id, roomId, provider }: { id: string; roomId: string; provider: TranscriptionEngine },
): Promise<void> {
  const parts = await deleteParts(tx, id)
  // A sandbox's parts were never sent to a real engine.
  if (await findSimulation(tx, { roomId, type: 'transcription.completed' })) return
  for (const part of parts) {
    const { providerId } = part
    await enqueue(tx, cancelRequest({ provider, providerId, reference: referenceOf(part) }))
  }
}

/** Cancels one attempt at a part that is to be sent again. */
export async function giveUpAttempt(
  tx: Tx,
  provider: TranscriptionEngine,
  part: Part,
): Promise<void> {
  await markLost(tx, part)
  const { providerId } = part
  await enqueue(tx, cancelRequest({ provider, providerId, reference: referenceOf(part) }))
}

/**
 * Cancels a job that the engine accepted after the transcription had been deleted. It needs a request of its own, because
 * the one from the delete may search too early.
 */
export async function giveUpTaken(
  query: Query,
  provider: TranscriptionEngine,
  taken: Part & { providerId: string },
): Promise<void> {
  const { providerId } = taken
  const request = cancelRequest({ provider, providerId, reference: referenceOf(taken) })
  await enqueue(query, { ...request, key: `${request.key}:late` })
}

/** Cancels the transcriptions of a recording that is about to be deleted. */
export async function cancelTranscriptionsOf(tx: Tx, recordingId: string): Promise<void> {
  for (const running of await listUnfinishedOf(tx, recordingId)) await giveUpParts(tx, running)
}

/** Deletes the transcriptions of a recording that stays. Their results were deleted with its files. */
export async function removeTranscriptionsOf(tx: Tx, recordingId: string): Promise<void> {
  await cancelTranscriptionsOf(tx, recordingId)
  await deleteRowsOf(tx, recordingId)
}
