import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  claimObject,
  expectObject,
  giveUpObject,
} from '../../../platform/storage/unclaimed-object.ts'
import type { Word } from './engines/word.ts'
import { joinParts } from './join-parts.ts'
import { moveTranscription } from './move-transcription.ts'
import type { Part } from './part-store.ts'
import { insertRevision } from './revision-store.ts'
import { writeWebvtt } from './webvtt.ts'
import { whileRunning } from './while-running.ts'
import { restored } from './without-silence.ts'
import { type SpokenWord, storeWords } from './words-file.ts'
import type { TranscribeDeps, Work } from './work.ts'

/** Stores words and captions as revision 0, and ends the transcription, once. */
export async function publishTranscript(
  deps: TranscribeDeps,
  { keys }: Pick<Work, 'keys'>,
  parts: readonly Part[],
): Promise<void> {
  const { db, storage, clock } = deps
  const name = `${keys.tenantId}/transcripts/${randomUUID()}`
  const [resultKey, wordsKey] = [`${name}.vtt`, `${name}.json`]
  const streams = streamsOf(parts)
  await expectObject(deps, resultKey)
  const body = Readable.from([Buffer.from(writeWebvtt(streams))])
  const captions = await storage.put(resultKey, body, { mime: 'text/vtt; charset=utf-8' })
  await expectObject(deps, wordsKey)
  const wordsBytes = await storeWords(deps, wordsKey, streams.flat())
  const sizeBytes = captions.sizeBytes + wordsBytes
  const isDone = await whileRunning(deps, keys, async (tx, locked) => {
    await claimObject(tx, resultKey)
    await claimObject(tx, wordsKey)
    const at = clock()
    if (!(await moveTranscription(tx, locked, { to: 'done', resultKey, at }))) return false
    const author = { kind: 'engine', reference: locked.provider, name: null } as const
    const files = { wordsKey, resultKey, sizeBytes }
    const made = { transcriptionId: locked.id, ...files, author, createdAt: at }
    await insertRevision(tx, { ...made, revision: 0 })
    return true
  })
  if (isDone === true) return
  await giveUpObject(db, resultKey)
  await giveUpObject(db, wordsKey)
}

const NOBODY = { offsetSec: 0, participantId: null, speaker: null, role: null }

/** The words of each file of the recording, in the recording's time. */
function streamsOf(parts: readonly Part[]): SpokenWord[][] {
  const files = Map.groupBy(parts, ({ fileName }) => fileName)
  return [...files.values()].map((ofFile) => {
    const heard = ofFile.map(({ words, startSec, endSec, seamSec }) => ({
      words: (words ?? []).map((word) => shifted(word, startSec)),
      startSec,
      endSec,
      seamSec,
    }))
    const [first] = ofFile
    const { offsetSec, participantId, speaker, role } = first ?? NOBODY
    const isOnePart = ofFile.length === 1
    const soundings = ofFile.flatMap((part) => part.soundings ?? [])
    return joinParts(heard).map((word) => ({
      ...shifted(restored(word, soundings), offsetSec),
      participantId,
      // Each part numbers its speakers independently.
      speaker: speaker ?? (isOnePart ? word.speaker : null),
      role,
    }))
  })
}

function shifted(word: Word, bySec: number): Word {
  return { ...word, startSec: word.startSec + bySec, endSec: word.endSec + bySec }
}
