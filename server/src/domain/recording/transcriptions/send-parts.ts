import { inTransaction } from '../../../platform/db/db.ts'
import { NotWantedError, whileWanted } from '../../../platform/lib/while-wanted.ts'
import { giveUpTaken } from './cancel-at-engine.job.ts'
import { checkWords } from './check-words.ts'
import type { Submission, SubmitResult } from './engines/engine.ts'
import { moveTranscription } from './move-transcription.ts'
import {
  insertPart,
  listParts,
  markHeard,
  markSent,
  markTaken,
  type Part,
  referenceOf,
} from './part-store.ts'
import { findTranscription, setFailures, setProviderId } from './store.ts'
import { isRunning } from './transcription.ts'
import { whileRunning } from './while-running.ts'
import { type RecordingAudio, withAudio } from './with-audio.ts'
import type { TranscribeDeps, Work } from './work.ts'

/** Parts of each engine have numbers of their own, so that no reference is used twice. */
const NUMBERS_EACH = 100_000

const isUnsent = ({ providerId, words }: Part) => providerId === null && words === null

/** Plans the parts once, and sends those that the engine does not have yet. */
export async function sendParts(deps: TranscribeDeps, work: Work): Promise<void> {
  const { transcription, source, engine, signal, log } = work
  const planned = await listParts(deps.db, transcription.id)
  if (planned.length > 0 && !planned.some(isUnsent)) return
  const format = engine.capabilities.audioFormat
  await withAudio(deps, { source, format, signal, log }, async (audio) => {
    if (planned.length === 0) await planAll(deps, work, audio)
    const parts = await listParts(deps.db, transcription.id)
    for (const part of parts.filter(isUnsent)) await sendPart(deps, work, { part, audio })
  })
}

async function planAll(
  { db }: TranscribeDeps,
  { transcription, engine }: Work,
  audio: RecordingAudio,
) {
  const parts = await audio.plan(engine.capabilities)
  const first = transcription.failedAttempts.length * NUMBERS_EACH
  await inTransaction(db, async (tx) => {
    for (const [number, part] of parts.entries()) {
      await insertPart(tx, transcription.id, { ...part, number: first + number })
    }
  })
}

async function sendPart(
  deps: TranscribeDeps,
  work: Work,
  { part, audio }: { part: Part; audio: RecordingAudio },
): Promise<void> {
  const { db, clock } = deps
  const { engine, transcription, signal } = work
  const path = await audio.cut(part)
  const reference = referenceOf(part)
  // An earlier attempt may have reached the engine, so search there before sending again.
  const found = part.sentAt === null ? undefined : await engine.find?.(reference, signal)
  if (found !== undefined) return take(deps, work, { part, taken: accepted(found) })
  if (!(await markSent(db, part, clock()))) throw new NotWantedError('it is not wanted any more')
  const durationSec = part.endSec - part.startSec
  const { language, kind } = transcription
  const translate = kind === 'translation'
  const order = { path, durationSec, reference, language, translate, signal }
  await take(deps, work, { part, taken: await submit(deps, work, order) })
}

/**
 * An engine that answers synchronously returns the words after hearing the whole audio, and keeps nothing. Its call ends
 * with the transcription. A job that another engine accepts meanwhile is cancelled there, by the id in its answer.
 */
async function submit(
  { db, config }: TranscribeDeps,
  { engine, keys, signal }: Work,
  order: Submission,
): Promise<SubmitResult> {
  if (engine.poll !== undefined) return engine.submit(order)
  const isWanted = async () => {
    const found = await findTranscription(db, keys)
    return found !== undefined && isRunning(found)
  }
  const lookMs = config.waits.wantedLookMs
  return whileWanted({ isWanted, lookMs, signal }, (ending) =>
    engine.submit({ ...order, signal: ending }),
  )
}

const accepted = (providerId: string): SubmitResult => ({ kind: 'accepted', providerId })

/** Records that the engine accepted the part, or its immediate result. */
async function take(
  deps: TranscribeDeps,
  { keys, transcription, log }: Work,
  { part, taken }: { part: Part; taken: SubmitResult },
): Promise<void> {
  const at = deps.clock()
  const words =
    taken.kind === 'done'
      ? checkWords(taken.words, { durationSec: part.endSec - part.startSec, log })
      : undefined
  const isKept = await whileRunning(deps, keys, async (tx, locked) => {
    const isMarked =
      taken.kind === 'done'
        ? await markHeard(tx, part, words ?? [])
        : await markTaken(tx, part, taken.providerId)
    if (!isMarked) return false
    if (taken.kind === 'accepted') await setProviderId(tx, locked.id, taken.providerId)
    await moveTranscription(tx, locked, { to: 'processing', at })
    // A completed part cannot be lost any more, so the next part gets all of its retries.
    if (taken.kind === 'done') await setFailures(tx, locked.id, 0)
    return true
  })
  if (isKept === true) return
  // The transcription was deleted during the call, and only this process knows the job's id.
  if (taken.kind === 'accepted') {
    const { providerId } = taken
    await giveUpTaken(deps.db, transcription.provider, { ...part, providerId })
  }
  throw new NotWantedError('it is not wanted any more')
}
