import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Job, JobRequest } from '../../../platform/jobs/job.ts'
import { findSimulation } from '../../../platform/sandbox/simulation.ts'
import type { Engines } from './engines/bind-engines.ts'
import { deleteParts, markLost, type Part, referenceOf } from './part-store.ts'
import { deleteRowsOf, listUnfinishedOf } from './store.ts'

const KIND = 'cancel-at-engine'
/** Pause after the first, second, ... failure; then it is left to the engine's own retention. */
const RETRY_AFTER_SEC = [10, 60, 600, 3600, 3600]
/** How often an engine is asked for what was perhaps on its way to it when it was given up: for 11 minutes. */
const LOOKS = 4

interface AtEngine {
  provider: TranscriptionEngine
  /** Null when we do not know whether the engine took it. */
  providerId: string | null
  reference: string
}

function cancelRequest({ provider, providerId, reference }: AtEngine): JobRequest {
  return { kind: KIND, key: reference, payload: { provider, providerId } }
}

/** Removes from an engine what it has of a transcription that has ended, or is gone. */
export function cancelAtEngineJob(engines: Engines): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1],
    async run({ key: reference, payload, attempt, signal }) {
      const { provider, providerId } = payload as unknown as AtEngine
      const engine = engines[provider]
      const found = providerId ?? (await engine?.find?.(reference, signal))
      if (found !== undefined) await engine?.cancel?.(found, signal)
      // Nobody is left to say that the engine took it: its worker may have been killed while it was sending.
      else if (engine?.find !== undefined && attempt < LOOKS) {
        throw new Error(`the engine does not have it yet (look ${attempt} of ${LOOKS})`)
      }
      return { outcome: 'done' }
    },
  }
}

/** Gives up what an engine has of it, in the transaction that ends or removes the transcription. */
export async function giveUpParts(
  tx: Tx,
  { id, roomId, provider }: { id: string; roomId: string; provider: TranscriptionEngine },
): Promise<void> {
  const parts = await deleteParts(tx, id)
  // No engine has anything of a sandbox, or is to be asked.
  if (await findSimulation(tx, { roomId, type: 'transcription.completed' })) return
  for (const part of parts) {
    const { providerId } = part
    await enqueue(tx, cancelRequest({ provider, providerId, reference: referenceOf(part) }))
  }
}

/** Gives up one attempt at a part, which is to be sent again. */
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
 * Gives up what an engine took when nobody wanted it any more, by a request of its own: that of the delete looks for
 * it too early.
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

/** Gives up the transcriptions of a recording that is about to be deleted. */
export async function cancelTranscriptionsOf(tx: Tx, recordingId: string): Promise<void> {
  for (const running of await listUnfinishedOf(tx, recordingId)) await giveUpParts(tx, running)
}

/** Removes the transcriptions of a recording that stays. Their results were removed with its files. */
export async function removeTranscriptionsOf(tx: Tx, recordingId: string): Promise<void> {
  await cancelTranscriptionsOf(tx, recordingId)
  await deleteRowsOf(tx, recordingId)
}
