import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { StorageError } from '../storage/storage.ts'
import { failRecording } from './fail-recording.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import type { Recording, RecordingKey } from './recording.ts'
import { listSegments } from './segment-store.ts'

/** From its end, or from the last of its parts. */
const FINISH_MAX_MS = 24 * 60 * 60_000
/** Also when the service was down meanwhile: about half an hour. */
const ATTEMPTS_MIN = 10

/**
 * Ends a recording whose file could not be made for a day, because storage, program or disk were out
 * of reach. Its parts stay. False while it is worth another try.
 */
export async function giveUpFinishing(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: RecordingKey,
  { attempt, error }: { attempt: number; error: unknown },
): Promise<boolean> {
  if (attempt < ATTEMPTS_MIN) return false
  return inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, key)
    if (recording?.status !== 'stopped' && recording?.status !== 'uploaded') return false
    const now = clock()
    if (now.getTime() < (await lastChangeMsOf(tx, recording)) + FINISH_MAX_MS) return false
    await failRecording(tx, recording, { reason: reasonOf(recording, error), now })
    return true
  })
}

async function lastChangeMsOf(tx: Tx, { id, updatedAt }: Recording): Promise<number> {
  const parts = await listSegments(tx, id)
  return Math.max(updatedAt.getTime(), ...parts.map(({ statusAt }) => statusAt.getTime()))
}

function reasonOf({ status }: Recording, error: unknown): string {
  if (status === 'uploaded') return 'storage_missing'
  return error instanceof StorageError ? 'upload_failed' : 'internal'
}
