import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { isSpoiled } from '../media-files/media-file-error.ts'
import { claimObject, giveUpObject } from '../storage/unclaimed-object.ts'
import { findSpoiled } from './find-spoiled.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import { loseParts } from './lose-parts.ts'
import { type FinishRun, makeFile } from './make-file.ts'
import { moveRecording } from './move-recording.ts'
import type { Recording } from './recording.ts'
import { isFinal, type Segment } from './segment.ts'
import { listSegments } from './segment-store.ts'
import type { RecordingFile } from './store.ts'

type WholeDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** A part that the provider says it has written is awaited this long. */
export const MISSING_MAX_MS = 10 * 60_000
export const LOOK_AGAIN_MS = 5_000
/** When parts could so often not be made into one file, the one that spoils it is looked for. */
const ATTEMPTS_MAX = 3

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
  if (kept.length === 0) {
    // They were lost one by one while it ran, when others could still come.
    const reason = segments.at(-1)?.failureReason ?? 'internal'
    await loseParts(deps, recording, { kept, lost: [], reason })
    return undefined
  }
  const [only] = kept
  if (only !== undefined && kept.length === 1 && recording.outputMode === 'composed') {
    await markUploaded(deps, recording, { file: fileOf(only), isMade: false })
    return undefined
  }
  const missing = await findMissing(deps, kept)
  if (missing.length > 0) return awaitMissing(deps, recording, { kept, missing })
  return make(deps, recording, { kept, run })
}

function fileOf({ storageKey, sizeBytes, durationSec }: Segment): RecordingFile {
  return { storageKey, sizeBytes: sizeBytes ?? 0, durationSec: durationSec ?? 0 }
}

async function findMissing({ storage }: WholeDeps, kept: readonly Segment[]): Promise<Segment[]> {
  const missing: Segment[] = []
  for (const segment of kept) {
    // Another size than was told is a file that is not there yet.
    const stored = await storage.head(segment.storageKey)
    if (stored?.sizeBytes !== segment.sizeBytes) missing.push(segment)
  }
  return missing
}

interface Missing {
  kept: readonly Segment[]
  missing: readonly Segment[]
}

async function awaitMissing(
  deps: WholeDeps,
  recording: Recording,
  { kept, missing }: Missing,
): Promise<Date> {
  const now = deps.clock()
  const lost = missing.filter(
    ({ statusAt }) => now.getTime() >= statusAt.getTime() + MISSING_MAX_MS,
  )
  if (lost.length === 0) return new Date(now.getTime() + LOOK_AGAIN_MS)
  await loseParts(deps, recording, { kept, lost, reason: 'storage_missing' })
  return now
}

/** Answers when to try again: a part that cannot be read, again and again, is left out. */
async function make(
  deps: WholeDeps,
  recording: Recording,
  { kept, run }: { kept: readonly Segment[]; run: FinishRun },
): Promise<Date | undefined> {
  try {
    const file = await makeFile(deps, recording, { kept, run })
    await markUploaded(deps, recording, { file, isMade: true })
    return undefined
  } catch (error) {
    if (!isSpoiled(error) || run.attempt < ATTEMPTS_MAX) throw error
    const lost = await findSpoiled(deps, { kept, run })
    if (lost.length === 0) throw error
    run.log.error({ err: error, recording: recording.id }, 'parts of a recording cannot be read')
    await loseParts(deps, recording, { kept, lost, reason: 'provider_failed' })
    return deps.clock()
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
