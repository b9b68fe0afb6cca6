import type { Query, Tx } from '../../../platform/db/db.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { NotWantedError } from '../../../platform/lib/while-wanted.ts'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import { findSimulation } from '../../../platform/sandbox/simulation.ts'
import { askEngine } from './ask-engine.ts'
import type { Engines } from './engines/bind-engines.ts'
import { type Engine, EngineError, type FailureReason } from './engines/engine.ts'
import { createSimulatedEngine } from './engines/simulated.ts'
import { failOver } from './fail-over.ts'
import { moveTranscription, type TranscriptionMove } from './move-transcription.ts'
import { listParts, type Part } from './part-store.ts'
import { publishTranscript } from './publish-transcript.ts'
import { consequenceOf, type Failure, pollPauseSec } from './retries.ts'
import { sendParts } from './send-parts.ts'
import { findSource, findTranscription, setFailures } from './store.ts'
import { TRANSCRIBE_KIND } from './transcribe-request.ts'
import { isRunning, type Transcription } from './transcription.ts'
import { whileRunning } from './while-running.ts'
import type { TranscribeDeps, Work } from './work.ts'

const DONE = { outcome: 'done' } as const

/** Carries out transcriptions: plan, send, poll, publish. Each step is stored before it is carried out. */
export function transcribeJob(deps: TranscribeDeps, engines: Engines): Job {
  const { db, clock } = deps
  return {
    kind: TRANSCRIBE_KIND,
    async run({ key: transcriptionId, payload, signal, log }) {
      const named = payload as { tenantId: string; recordingId: string }
      const keys = { transcriptionId, ...named }
      const transcription = await findTranscription(db, keys)
      if (transcription === undefined || !isRunning(transcription)) return DONE
      const engine = await engineOf(db, engines, transcription)
      const source = await findSource(db, keys)
      try {
        if (engine === undefined) throw refused('engine_not_configured')
        if (source === undefined) throw refused('unsupported_audio')
        refuseWhatItCannot(engine, transcription)
        const work = { keys, transcription, engine, source, signal, log }
        const again = await advance(deps, work)
        return again === undefined ? DONE : { outcome: 'again', at: again }
      } catch (error) {
        if (error instanceof NotWantedError) return DONE
        // The worker is stopping or has lost the lease, so it must not decide the outcome.
        signal.throwIfAborted()
        const failure = failureOf(error)
        if (failure === undefined) throw error
        log.warn({ err: error, transcriptionId, ...failure }, 'transcription failed')
        const again = await takeFailure(deps, keys, { failure, now: clock() })
        return again === undefined ? DONE : { outcome: 'again', at: again }
      }
    },
  }
}

/** Returns undefined if no engine is configured. A sandbox never gets a real one. */
async function engineOf(
  db: Query,
  engines: Engines,
  { roomId, provider }: Transcription,
): Promise<Engine | undefined> {
  const simulation = await findSimulation(db, { roomId, type: 'transcription.completed' })
  return simulation === undefined ? engines[provider] : createSimulatedEngine(simulation)
}

/** The time of the next poll. Returns undefined when the transcription has ended. */
async function advance(deps: TranscribeDeps, work: Work): Promise<Date | undefined> {
  await sendParts(deps, work)
  await askEngine(deps, work)
  const parts = await listParts(deps.db, work.transcription.id)
  await whileRunning(deps, work.keys, async (tx, locked) => {
    await moveTranscription(tx, locked, { to: 'processing', at: deps.clock() })
    await setFailures(tx, locked.id, lossesOf(parts))
  })
  if (parts.every(({ words }) => words !== null)) {
    await publishTranscript(deps, work, parts)
    return undefined
  }
  const now = deps.clock().getTime()
  const sent = parts.flatMap(({ sentAt, words }) => (sentAt && !words ? [sentAt.getTime()] : []))
  const elapsedSec = (now - Math.max(...sent, 0)) / 1000
  return new Date(now + pollPauseSec(elapsedSec) * 1000)
}

/** Losses are counted separately: an answer resets the failures, but a lost job may be sent again only three times. */
function lossesOf(parts: readonly Part[]): number {
  return Math.max(0, ...parts.map(({ attempt }) => attempt - 1))
}

function refused(reason: FailureReason): EngineError {
  return new EngineError('it cannot be transcribed', { isTransient: false, reason })
}

function refuseWhatItCannot({ capabilities }: Engine, { language, kind }: Transcription): void {
  const { languages, translatesFrom } = capabilities
  if (!languages.includes(language)) throw refused('language_not_supported')
  if (kind === 'translation' && !translatesFrom.includes(language)) {
    throw refused('translation_not_supported')
  }
}

/** Returns undefined for failures of neither the engine nor the file. The job retries those automatically. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof EngineError) return error.problem
  if (!(error instanceof MediaFileError)) return undefined
  const { problem } = error
  // The storage may have answered with other bytes, so the file is read again.
  if (problem === 'unreadable') return { isTransient: true, reason: 'unsupported_audio' }
  const isOurs = problem === 'no_ffmpeg' || problem === 'disk_full'
  return isOurs ? undefined : { isTransient: true, reason: 'internal' }
}

async function takeFailure(
  deps: TranscribeDeps,
  keys: Work['keys'],
  { failure, now }: { failure: Failure; now: Date },
): Promise<Date | undefined> {
  return whileRunning(deps, keys, async (tx, locked) => {
    const then = consequenceOf(locked, failure)
    if ('failureReason' in then) {
      if (await failOver(tx, locked, { reason: then.failureReason, at: now })) return now
      await endFailed(tx, locked, { ...then, at: now })
      return undefined
    }
    if (then.to === 'retrying') await moveTranscription(tx, locked, { to: 'retrying', at: now })
    await setFailures(tx, locked.id, then.failures)
    return new Date(now.getTime() + then.pauseSec * 1000)
  })
}

async function endFailed(
  tx: Tx,
  locked: Transcription,
  end: Extract<TranscriptionMove, { failureReason: string }> & { at: Date },
): Promise<void> {
  if (await moveTranscription(tx, locked, end)) return
  // A transcription can end in `error` only after the engine has started it.
  await moveTranscription(tx, locked, { to: 'processing', at: end.at })
  await moveTranscription(tx, { ...locked, status: 'processing', resultKey: null }, end)
}
