import { inTransaction } from '../../../platform/db/db.ts'
import { giveUpAttempt } from './cancel-at-engine.job.ts'
import { checkWords } from './check-words.ts'
import { EngineError, invalidResult } from './engines/engine.ts'
import { silenceLimitSec } from './engines/silence-limit.ts'
import { listParts, markHeard, type Part } from './part-store.ts'
import type { TranscribeDeps, Work } from './work.ts'

/** Polls the engine for the accepted parts. Throws `EngineError` if it has lost one. */
export async function askEngine(deps: TranscribeDeps, work: Work): Promise<void> {
  const parts = await listParts(deps.db, work.transcription.id)
  for (const part of parts) {
    if (part.providerId !== null && part.words === null) {
      await askForPart(deps, work, { ...part, providerId: part.providerId })
    }
  }
}

async function askForPart(
  { db, clock }: TranscribeDeps,
  { engine, transcription, source, signal, log }: Work,
  part: Part & { providerId: string },
): Promise<void> {
  if (engine.poll === undefined) throw invalidResult('an engine that cannot be asked took it')
  const { providerId } = part
  const { language, kind } = transcription
  const translate = kind === 'translation'
  const polled = await engine.poll({ providerId, language, translate, signal })
  if (polled.kind === 'done') {
    const durationSec = part.endSec - part.startSec
    await markHeard(db, part, checkWords(polled.words, { durationSec, log }))
    return
  }
  const giveUp = () => inTransaction(db, (tx) => giveUpAttempt(tx, transcription.provider, part))
  if (polled.kind === 'lost') {
    await giveUp()
    throw new EngineError('the engine gave up', { isTransient: true, reason: 'vendor_unavailable' })
  }
  const silentSec = (clock().getTime() - (part.sentAt?.getTime() ?? 0)) / 1000
  if (silentSec <= silenceLimitSec(source.durationSec)) return
  await giveUp()
  throw new EngineError('the engine has been silent', { isTransient: true, reason: 'timed_out' })
}
