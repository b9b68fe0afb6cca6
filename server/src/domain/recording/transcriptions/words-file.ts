import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { TranscriptWord } from '@interview-room/contract/transcripts.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Word } from './engines/word.ts'

/** A word with the person who says it. */
export interface SpokenWord extends Word {
  participantId: string | null
  role: string | null
}

/** The content of the stored object of a transcript's words. It may only grow: later releases read older files. */
interface WordsFile {
  words: TranscriptWord[]
}

const MIME = 'application/json'

/** Stores the words in order of their starts, and returns the file's size. The caller expects and claims the object. */
export async function storeWords(
  { storage }: Pick<Deps, 'storage'>,
  key: string,
  words: readonly SpokenWord[],
): Promise<number> {
  const file: WordsFile = {
    words: words.toSorted((a, b) => a.startSec - b.startSec).map(presentWord),
  }
  const body = Readable.from([Buffer.from(JSON.stringify(file))])
  return (await storage.put(key, body, { mime: MIME })).sizeBytes
}

export async function readWords(
  { storage }: Pick<Deps, 'storage'>,
  key: string,
): Promise<TranscriptWord[]> {
  const file = (await json(await storage.read(key))) as WordsFile
  return file.words
}

function presentWord(word: SpokenWord): TranscriptWord {
  return {
    text: word.text,
    start_sec: inMs(word.startSec),
    end_sec: inMs(word.endSec),
    participant_id: word.participantId,
    speaker: word.speaker,
    role: word.role as TranscriptWord['role'],
    confidence: word.confidence ?? null,
  }
}

const inMs = (sec: number) => Math.round(sec * 1000) / 1000
