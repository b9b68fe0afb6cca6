import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { StoredTranscript } from '../../recording/transcriptions/store-transcript.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import type { Cast, Player } from './admit-cast.ts'
import type { SampleFacts } from './sample-files.ts'

/** The interview that is being made. It is over when it is made. */
export interface Sample extends RoomKey {
  recordingId: string
  facts: SampleFacts
  cast: Cast
  handoutId: string
  files: StoredFiles
  /** The time of the first entry. */
  begins: Date
}

interface StoredFile {
  storageKey: string
  sizeBytes: number
}

export interface StoredFiles {
  interview: StoredFile
  clips: StoredFile[]
  transcripts: { ja: StoredTranscript; en: StoredTranscript }
}

/** Seconds of the file. */
export function placeOf(
  { moments }: SampleFacts,
  { after, sec }: { after: string; sec: number },
): number {
  const moment = moments[after]
  if (moment === undefined) throw new RangeError(`the sample has no moment ${after}`)
  return Math.round((moment + sec) * 1000) / 1000
}

export function playerIn(cast: Cast, role: Role): Player {
  const player = cast.get(role)
  if (player === undefined) throw new RangeError(`the sample has no ${role}`)
  return player
}
