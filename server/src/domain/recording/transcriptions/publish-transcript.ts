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
import { writeWebvtt } from './webvtt.ts'
import { whileRunning } from './while-running.ts'
import type { TranscribeDeps, Work } from './work.ts'

/** Stores the result and ends the transcription, once. */
export async function publishTranscript(
  deps: TranscribeDeps,
  { keys }: Pick<Work, 'keys'>,
  parts: readonly Part[],
): Promise<void> {
  const { db, storage, clock } = deps
  const resultKey = `${keys.tenantId}/transcripts/${randomUUID()}.vtt`
  await expectObject(deps, resultKey)
  const body = Readable.from([Buffer.from(writeWebvtt(streamsOf(parts)))])
  await storage.put(resultKey, body, { mime: 'text/vtt; charset=utf-8' })
  const isDone = await whileRunning(deps, keys, async (tx, locked) => {
    await claimObject(tx, resultKey)
    return moveTranscription(tx, locked, { to: 'done', resultKey, at: clock() })
  })
  if (isDone !== true) await giveUpObject(db, resultKey)
}

const NOBODY = { offsetSec: 0, speaker: null, role: null }

/** The words of each file of the recording, in the recording's time. */
function streamsOf(parts: readonly Part[]): Word[][] {
  const files = Map.groupBy(parts, ({ fileName }) => fileName)
  return [...files.values()].map((ofFile) => {
    const heard = ofFile.map(({ words, startSec, endSec, seamSec }) => ({
      words: (words ?? []).map((word) => shifted(word, startSec)),
      startSec,
      endSec,
      seamSec,
    }))
    const [first] = ofFile
    const { offsetSec, speaker, role } = first ?? NOBODY
    const isOnePart = ofFile.length === 1
    return joinParts(heard).map((word) => ({
      ...shifted(word, offsetSec),
      // Each part numbers its speakers independently.
      speaker: speaker ?? (isOnePart ? word.speaker : null),
      role,
    }))
  })
}

function shifted(word: Word, bySec: number): Word {
  return { ...word, startSec: word.startSec + bySec, endSec: word.endSec + bySec }
}
