import type { Word } from './engines/word.ts'
import { joinParts } from './join-parts.ts'
import { moveTranscription } from './move-transcription.ts'
import type { Part } from './part-store.ts'
import { addRevision, giveUpTranscript, storeTranscript } from './store-transcript.ts'
import { cuesOf } from './webvtt.ts'
import { whileRunning } from './while-running.ts'
import { restored } from './without-silence.ts'
import type { SpokenWord } from './words-file.ts'
import type { TranscribeDeps, Work } from './work.ts'

/** Stores words and captions as revision 0, and ends the transcription, once. */
export async function publishTranscript(
  deps: TranscribeDeps,
  { keys }: Pick<Work, 'keys'>,
  parts: readonly Part[],
): Promise<void> {
  const streams = streamsOf(parts)
  const transcript = { cues: cuesOf(streams), words: streams.flat() }
  const stored = await storeTranscript(deps, keys.tenantId, transcript)
  const { resultKey } = stored
  const isDone = await whileRunning(deps, keys, async (tx, locked) => {
    const at = deps.clock()
    if (!(await moveTranscription(tx, locked, { to: 'done', resultKey, at }))) return false
    const author = { kind: 'engine', reference: locked.provider, name: null } as const
    await addRevision(tx, stored, {
      transcriptionId: locked.id,
      revision: 0,
      author,
      createdAt: at,
    })
    return true
  })
  if (isDone !== true) await giveUpTranscript(deps.db, stored)
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
