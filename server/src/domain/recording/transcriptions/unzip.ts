import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'

const MANIFEST_MAX_BYTES = 4 * 1024 * 1024

/** Reads one small file of an archive that the service made. */
export async function readEntry(archive: string, name: string): Promise<Buffer> {
  return withEntry(archive, name, async (stream, { uncompressedSize }) => {
    if (uncompressedSize > MANIFEST_MAX_BYTES) throw new RangeError('a manifest that is too large')
    return buffer(stream)
  })
}

/** Writes one file of the archive to a path chosen by the service. */
export async function extractEntry(archive: string, name: string, target: string): Promise<void> {
  await withEntry(archive, name, (stream) => pipeline(stream, createWriteStream(target)))
}

async function withEntry<T>(
  archive: string,
  name: string,
  read: (stream: Readable, entry: Entry) => Promise<T>,
): Promise<T> {
  const zip = await openPromise(archive, { autoClose: false, lazyEntries: true })
  try {
    const entry = await findEntry(zip, name)
    return await read(await zip.openReadStreamPromise(entry), entry)
  } finally {
    zip.close()
  }
}

async function findEntry(zip: ZipFile, name: string): Promise<Entry> {
  for await (const entry of zip.eachEntry()) if (entry.fileName === name) return entry
  throw new RangeError('an archive without a file that its manifest names')
}
