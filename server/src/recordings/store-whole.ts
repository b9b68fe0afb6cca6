import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { MediaFileError } from '../media-files/media-file-error.ts'
import { claimObject, giveUpObject } from '../storage/unclaimed-object.ts'
import { failRecording } from './fail-recording.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import { type FinishRun, makeFile } from './make-file.ts'
import { moveRecording } from './move-recording.ts'
import type { Recording } from './recording.ts'
import { isFinal, type Segment } from './segment.ts'
import { listSegments, markMissing } from './segment-store.ts'
import type { RecordingFile } from './store.ts'

type WholeDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** A part that the provider says it has written is awaited this long. */
export const MISSING_MAX_MS = 10 * 60_000
export const LOOK_AGAIN_MS = 5_000
/** Parts that so often could not be made into one file never will be. */
const ATTEMPTS_MAX = 5

/**
 * Makes one file of what was recorded: the one part as it is, several parts joined, the parts of an
 * individual recording in an archive. Answers when to look again when a part is not there yet.
 */
export async function storeWhole(
  deps: WholeDeps,
  recording: Recording,
  run: FinishRun,
): Promise<Date | undefined> {
  const segments = await listSegments(deps.db, recording.id)
  // The last of them asks again.
  if (!segments.every((each) => isFinal(each))) return undefined
  const kept = segments.filter(({ status }) => status === 'complete')
  const [only] = kept
  if (only !== undefined && kept.length === 1 && recording.outputMode === 'composed') {
    await markUploaded(deps, recording, { file: fileOf(only), isMade: false })
    return undefined
  }
  const missing = await findMissing(deps, kept)
  if (missing.length > 0) return awaitMissing(deps, recording, { kept, missing })
  await make(deps, recording, { kept, run })
  return undefined
}

function fileOf({ storageKey, sizeBytes, durationSec }: Segment): RecordingFile {
  return { storageKey, sizeBytes: sizeBytes ?? 0, durationSec: durationSec ?? 0 }
}

async function findMissing({ storage }: WholeDeps, kept: readonly Segment[]): Promise<Segment[]> {
  const missing: Segment[] = []
  for (const segment of kept) {
    if ((await storage.head(segment.storageKey)) === undefined) missing.push(segment)
  }
  return missing
}

interface Missing {
  kept: readonly Segment[]
  missing: readonly Segment[]
}

async function awaitMissing(
  { db, clock }: WholeDeps,
  { id, tenantId }: Recording,
  { kept, missing }: Missing,
): Promise<Date> {
  const now = clock()
  const lost = missing.filter(
    ({ statusAt }) => now.getTime() >= statusAt.getTime() + MISSING_MAX_MS,
  )
  await inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, { tenantId, recordingId: id })
    if (recording?.status !== 'stopped') return
    for (const segment of lost) await markMissing(tx, segment.id, now)
    if (lost.length === kept.length) {
      await failRecording(tx, recording, { reason: 'storage_missing', now })
    }
  })
  return new Date(now.getTime() + (lost.length > 0 ? 0 : LOOK_AGAIN_MS))
}

async function make(
  deps: WholeDeps,
  recording: Recording,
  { kept, run }: { kept: readonly Segment[]; run: FinishRun },
): Promise<void> {
  try {
    const file = await makeFile(deps, recording, { kept, run })
    await markUploaded(deps, recording, { file, isMade: true })
  } catch (error) {
    if (!(error instanceof MediaFileError) || run.attempt < ATTEMPTS_MAX) throw error
    run.log.error({ err: error, recording: recording.id }, 'parts of a recording cannot be joined')
    await inTransaction(deps.db, async (tx) => {
      const { id: recordingId, tenantId } = recording
      const held = await holdRecordingIfAny(tx, { tenantId, recordingId })
      if (held !== undefined)
        await failRecording(tx, held, { reason: 'internal', now: deps.clock() })
    })
  }
}

async function markUploaded(
  { db, clock }: WholeDeps,
  { id, tenantId }: Recording,
  { file, isMade }: { file: RecordingFile; isMade: boolean },
): Promise<void> {
  const isOurs = await inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, { tenantId, recordingId: id })
    // Deleted in the meantime, or finished by somebody else.
    if (recording?.status !== 'stopped') return false
    if (isMade) await claimObject(tx, file.storageKey)
    return moveRecording(tx, recording, { to: 'uploaded', file, at: clock() })
  })
  if (isMade && !isOurs) await giveUpObject(db, file.storageKey)
}
