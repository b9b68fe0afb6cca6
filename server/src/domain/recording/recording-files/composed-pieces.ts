import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { piecePrefixOf } from '@interview-room/composer/capture/capture-archive.ts'
import {
  type ArchivedPiece,
  readArchivedPiece,
  unpackPiece,
} from '@interview-room/composer/capture/piece-archive.ts'
import type { Encoding } from '@interview-room/composer/ffmpeg-arguments.ts'
import type { Piece } from '@interview-room/composer/pieces.ts'
import type { Storage } from '../../../platform/ports/storage.ts'
import type { StoredCapture } from '../recordings/measure-segment.ts'
import { captureEndMsOf, type Segment } from '../recordings/segment.ts'

type PieceStorage = Pick<Storage, 'listWithPrefix' | 'read'>

/** The pieces of a capture that are composed already, and the rest of it. */
export interface CapturePieces {
  pieces: readonly Piece[]
  /** The chunks that the rest needs, in order. */
  archives: readonly string[]
}

/** The stored pieces of a capture, in order. Throws `StorageError`. */
export async function listPieces(
  storage: PieceStorage,
  { storageKey }: Pick<Segment, 'storageKey'>,
): Promise<string[]> {
  return (await storage.listWithPrefix(piecePrefixOf(storageKey))).map(({ key }) => key)
}

/** Reads a stored piece without its media. Throws `StorageError`, `ArchiveError`. */
export async function readPieceAt(storage: PieceStorage, key: string): Promise<ArchivedPiece> {
  return readArchivedPiece(await storage.read(key))
}

/** True if the piece has everything that has arrived of its time, in the same form. */
export function isCurrent(
  { source, encoding }: ArchivedPiece,
  { archives }: StoredCapture,
  wanted: Encoding,
): boolean {
  const arrived = archives.filter((key) => key <= source.last)
  return arrived.length === source.chunks && isDeepStrictEqual(encoding, wanted)
}

/** The chunks that the piece after this one needs; none after the last one. */
export function archivesAfter(
  piece: ArchivedPiece | undefined,
  { archives }: StoredCapture,
): readonly string[] {
  if (piece === undefined) return archives
  return piece.isLast ? [] : archives.filter((key) => key >= piece.source.next)
}

/** About how large these chunks of a capture are. */
export function sizeOfChunks(
  { archives, sizeBytes }: StoredCapture,
  chunks: readonly string[],
): number {
  return Math.ceil((sizeBytes * chunks.length) / archives.length)
}

/**
 * Fetches the pieces of an ended capture into a folder, as far as they may be used: not those from before a chunk that arrived late,
 * and nothing after the capture's end. Throws `StorageError`, `ArchiveError`.
 */
export async function fetchPieces(
  storage: PieceStorage,
  segment: Segment,
  { capture, encoding, folder }: { capture: StoredCapture; encoding: Encoding; folder: string },
): Promise<CapturePieces> {
  const pieces: Piece[] = []
  let last: ArchivedPiece | undefined
  const untilMs = captureEndMsOf(segment) ?? Infinity
  for (const key of await listPieces(storage, segment)) {
    const target = path.join(folder, `${segment.id}-${pieces.length}`)
    await mkdir(target)
    const piece = await unpackPiece(await storage.read(key), target)
    const { summary } = piece
    if (!isCurrent(summary, capture, encoding) || summary.end.ms > untilMs) break
    pieces.push(piece)
    last = summary
  }
  return { pieces, archives: archivesAfter(last, capture) }
}
