import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HeardPerson } from './activity.ts'
import type { Encoding } from './ffmpeg-arguments.ts'
import type { AnnouncedTrack, CaptureAbsence } from './losses.ts'

/**
 * A stretch of one capture, composed for itself. Pieces that follow each other are joined by copying. Its folder holds the summary,
 * the picture, the sound, and the packets of each voice.
 */
export interface Piece {
  folder: string
  summary: PieceSummary
}

/** Stored as JSON beside the media of a piece, so the keys must stay. */
export interface PieceSummary {
  encoding: Encoding
  /** The capture ends with it. */
  isLast: boolean
  /** Its first frame, counted from the start of the capture. */
  fromFrame: number
  end: PieceEnd
  /** The identities of its voices, in the order of their files. */
  voices: readonly string[]
  heard: readonly HeardPerson[]
  absences: readonly CaptureAbsence[]
  /** All tracks of the capture so far. */
  tracks: readonly AnnouncedTrack[]
}

/** The state at the end of a piece, from which the next one continues. */
export interface PieceEnd {
  /** The frame after its last one, counted from the start of the capture. */
  frame: number
  /** The same, by the clock of the capture. */
  ms: number
  layout: string
  /** The participant with the focus, if there is one. */
  speaker?: string | undefined
  /** Identities in the order of their tiles. */
  places: readonly string[]
  /** The next piece needs what arrived since then; in milliseconds by the clock of the capture. */
  neededMs: number
}

export const SUMMARY = 'piece.json'
/** The files of a piece. */
export const PIECE_MEMBER = /^(piece\.json|picture\.mp4|sound\.aac|voice-\d{1,4}\.packets)$/

export const pictureOf = (folder: string): string => path.join(folder, 'picture.mp4')
export const soundFileOf = (folder: string): string => path.join(folder, 'sound.aac')
export const voiceFileOf = (folder: string, index: number): string =>
  path.join(folder, `voice-${index}.packets`)

export async function writeSummary(folder: string, summary: PieceSummary): Promise<Piece> {
  await writeFile(path.join(folder, SUMMARY), JSON.stringify(summary), { mode: 0o600 })
  return { folder, summary }
}

export async function readPiece(folder: string): Promise<Piece> {
  const text = await readFile(path.join(folder, SUMMARY), 'utf8')
  return { folder, summary: JSON.parse(text) as PieceSummary }
}
