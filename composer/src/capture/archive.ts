import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { entryHead, ENTRY_BLOCK_BYTES, paddingOf, readEntryHead, TAR_END } from './tar.ts'

/** Thrown for bytes that are not an archive of the expected files, or not a whole one. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** A file of an archive: this many of its bytes. */
export interface Member {
  name: string
  sizeBytes: number
}

/** A text as the first file of an archive, for readers that need no more than that. */
export function* firstEntry(name: string, text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  yield entryHead({ name, sizeBytes: bytes.length })
  yield bytes
  yield paddingOf(bytes.length)
}

/** The files of a folder, and the end of the archive. */
export async function* restOfArchive(
  folder: string,
  members: readonly Member[],
): AsyncGenerator<Buffer> {
  for (const { name, sizeBytes } of members) {
    yield entryHead({ name, sizeBytes })
    const file = path.join(folder, name)
    if (sizeBytes > 0) {
      yield* createReadStream(file, { end: sizeBytes - 1 }) as AsyncIterable<Buffer>
    }
    yield paddingOf(sizeBytes)
  }
  yield TAR_END
}

/** Reads an archive from its beginning to its end. Its methods throw `ArchiveError`, or the error of the stream. */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #isMember: RegExp
  #rest: Buffer = Buffer.alloc(0)

  /** @param isMember matches the names of the files that may be in it. */
  constructor(archive: Readable, isMember: RegExp) {
    this.#chunks = archive[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    this.#isMember = isMember
  }

  /** The text of the first file, which has this name and at most so many bytes. */
  async first(name: string, maxBytes: number): Promise<string> {
    const entry = await this.#next()
    if (entry?.name !== name || entry.sizeBytes > maxBytes) throw noArchive()
    const pieces: Buffer[] = []
    for await (const piece of this.#take(entry.sizeBytes)) pieces.push(piece)
    await this.#skipPadding(entry)
    return Buffer.concat(pieces).toString('utf8')
  }

  /** Appends the files that are left to those of a folder. */
  async unpack(folder: string): Promise<void> {
    for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) {
      const file = await open(path.join(folder, entry.name), 'a', 0o600)
      try {
        // `appendFile` repeats until everything is written. `write` takes less when the disk is nearly full.
        for await (const bytes of this.#take(entry.sizeBytes)) await file.appendFile(bytes)
      } finally {
        await file.close()
      }
      await this.#skipPadding(entry)
    }
  }

  async #next(): Promise<Member | undefined> {
    const pieces: Buffer[] = []
    for await (const piece of this.#take(ENTRY_BLOCK_BYTES)) pieces.push(piece)
    const entry = readEntryHead(Buffer.concat(pieces))
    if (entry === 'end') return undefined
    if (entry === undefined || !this.#isMember.test(entry.name)) throw noArchive()
    return entry
  }

  async #skipPadding({ sizeBytes }: Member): Promise<void> {
    for await (const _ of this.#take(paddingOf(sizeBytes).length));
  }

  async *#take(sizeBytes: number): AsyncGenerator<Buffer> {
    for (let left = sizeBytes; left > 0;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done === true) throw noArchive()
        this.#rest = value
      }
      const bytes = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(bytes.length)
      left -= bytes.length
      yield bytes
    }
  }
}

function noArchive(): ArchiveError {
  return new ArchiveError('the file is not an archive of this kind, or is not whole')
}
