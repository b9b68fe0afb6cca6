import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type Piece, PIECE_MEMBER, type PieceSummary, SUMMARY } from '../pieces.ts'
import { ArchiveReader, firstEntry, restOfArchive } from './archive.ts'

/** The chunks that a piece is made of. */
export interface PieceSource {
  /** The number of chunks from the beginning of the capture to the last one that was read, and its name. */
  chunks: number
  last: string
  /** The first chunk that the next piece needs. */
  next: string
}

export interface ArchivedPiece extends PieceSummary {
  source: PieceSource
}

/** Four hours of a dozen people have about a megabyte. */
const SUMMARY_MAX_BYTES = 16 * 1024 * 1024

/** A piece as one archive, and its size in bytes. */
export async function packPiece(
  { folder, summary }: Piece,
  source: PieceSource,
): Promise<{ archive: Readable; sizeBytes: number }> {
  const names = (await readdir(folder)).filter(
    (name) => name !== SUMMARY && PIECE_MEMBER.test(name),
  )
  const members = await Promise.all(
    names.map(async (name) => {
      const { size: sizeBytes } = await stat(path.join(folder, name))
      return { name, sizeBytes }
    }),
  )
  const archived: ArchivedPiece = { ...summary, source }
  const text = JSON.stringify(archived)
  async function* bytes() {
    yield* firstEntry(SUMMARY, text)
    yield* restOfArchive(folder, members)
  }
  const sizeBytes = members.reduce((sum, member) => sum + member.sizeBytes, text.length)
  return { archive: Readable.from(bytes(), { objectMode: false }), sizeBytes }
}

/** Reads what an archive says of its piece, without the media. Throws `ArchiveError`, or the stream's error. */
export async function readArchivedPiece(archive: Readable): Promise<ArchivedPiece> {
  try {
    const text = await new ArchiveReader(archive, PIECE_MEMBER).first(SUMMARY, SUMMARY_MAX_BYTES)
    return JSON.parse(text) as ArchivedPiece
  } finally {
    archive.destroy()
  }
}

/** Extracts an archive into an empty folder. Throws `ArchiveError`, or the stream's error. */
export async function unpackPiece(
  archive: Readable,
  folder: string,
): Promise<Piece & { summary: ArchivedPiece }> {
  const reader = new ArchiveReader(archive, PIECE_MEMBER)
  const text = await reader.first(SUMMARY, SUMMARY_MAX_BYTES)
  await writeFile(path.join(folder, SUMMARY), text, { mode: 0o600 })
  await reader.unpack(folder)
  return { folder, summary: JSON.parse(text) as ArchivedPiece }
}
