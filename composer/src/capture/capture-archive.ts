import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readCaptureEvents } from './capture-events.ts'
import { readRtpLog } from './rtp-log.ts'
import { entryHead, ENTRY_BLOCK_BYTES, paddingOf, readEntryHead, TAR_END } from './tar.ts'

/** How file names of captures end: they are tar archives. */
export const CAPTURE_EXTENSION = '.capture'

/** The first entry of an archive, for readers that only need to know what it is. */
export interface CaptureSummary {
  format: 1
  /** When media of it begins and ends, by the clock of the capture. */
  startMs: number
  endMs: number
}

const SUMMARY = 'capture.json'
const SUMMARY_MAX_BYTES = 4096
const EVENTS = 'facts.jsonl'
/** What a capture consists of: nothing else is taken out of an archive. */
const MEMBER = /^(capture\.json|facts\.jsonl|[\w-]{1,80}\.rtp)$/

/** What is no capture, or not whole. */
export class CaptureArchiveError extends Error {
  override name = 'CaptureArchiveError'
}

/** Writes the folder of a capture that has ended into one file. Throws when nothing was captured. */
export async function packCapture(folder: string, file: string): Promise<CaptureSummary> {
  const summary = await summaryOf(folder)
  const members = (await readdir(folder)).filter((name) => MEMBER.test(name) && name !== SUMMARY)
  const target = createWriteStream(file, { mode: 0o600 })
  await pipeline(Readable.from(archiveOf(folder, members.toSorted(), summary)), target)
  return summary
}

async function* archiveOf(
  folder: string,
  members: readonly string[],
  summary: CaptureSummary,
): AsyncGenerator<Buffer> {
  const head = Buffer.from(JSON.stringify(summary))
  yield entryHead({ name: SUMMARY, sizeBytes: head.length })
  yield Buffer.concat([head, paddingOf(head.length)])
  for (const name of members) {
    const file = path.join(folder, name)
    const { size: sizeBytes } = await stat(file)
    if (sizeBytes === 0) continue
    yield entryHead({ name, sizeBytes })
    // Not what is appended meanwhile.
    yield* createReadStream(file, { end: sizeBytes - 1 }) as AsyncIterable<Buffer>
    yield paddingOf(sizeBytes)
  }
  yield TAR_END
}

/** Where a capture begins and ends: that was not ended, with the last that came. */
async function summaryOf(folder: string): Promise<CaptureSummary> {
  const events = await readCaptureEvents(path.join(folder, EVENTS))
  const startMs = events.find(({ fact }) => fact === 'active')?.atMs
  const stoppedMs = events.find(({ fact }) => fact === 'stopped')?.atMs
  const endMs = stoppedMs ?? Math.max(events.at(-1)?.atMs ?? 0, await lastArrivalMs(folder))
  if (startMs === undefined || endMs <= startMs) throw new Error('nothing was captured')
  return { format: 1, startMs, endMs }
}

async function lastArrivalMs(folder: string): Promise<number> {
  let lastMs = 0
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.rtp')) continue
    for await (const { atMs } of readRtpLog(path.join(folder, name)))
      lastMs = Math.max(lastMs, atMs)
  }
  return lastMs
}

/** Takes an archive apart into an empty folder. Throws `CaptureArchiveError`, or what the stream throws. */
export async function unpackCapture(archive: Readable, folder: string): Promise<CaptureSummary> {
  const reader = new ByteReader(archive)
  const summary = await readSummary(reader)
  for (;;) {
    const entry = await nextEntry(reader)
    if (entry === undefined) return summary
    const file = await open(path.join(folder, entry.name), 'wx', 0o600)
    try {
      for await (const bytes of reader.take(entry.sizeBytes)) await file.write(bytes)
    } finally {
      await file.close()
    }
    await reader.skip(paddingOf(entry.sizeBytes).length)
  }
}

/** What an archive says of itself, without reading the rest. Throws `CaptureArchiveError`. */
export async function readCaptureSummary(archive: Readable): Promise<CaptureSummary> {
  try {
    return await readSummary(new ByteReader(archive))
  } finally {
    archive.destroy()
  }
}

async function readSummary(reader: ByteReader): Promise<CaptureSummary> {
  const entry = await nextEntry(reader)
  if (entry?.name !== SUMMARY || entry.sizeBytes > SUMMARY_MAX_BYTES) throw noCapture()
  const text = (await reader.exactly(entry.sizeBytes)).toString('utf8')
  await reader.skip(paddingOf(entry.sizeBytes).length)
  const summary = parse(text)
  if (summary?.format !== 1 || !(summary.endMs > summary.startMs)) throw noCapture()
  return summary
}

function parse(text: string): CaptureSummary | undefined {
  try {
    return JSON.parse(text) as CaptureSummary
  } catch {
    return undefined
  }
}

async function nextEntry(reader: ByteReader) {
  const entry = readEntryHead(await reader.exactly(ENTRY_BLOCK_BYTES))
  if (entry === 'end') return undefined
  if (entry === undefined || !MEMBER.test(entry.name)) throw noCapture()
  return entry
}

function noCapture(): CaptureArchiveError {
  return new CaptureArchiveError('the file is not a capture, or is not whole')
}

/** Reads a stream in pieces of the sizes that are asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async *take(sizeBytes: number): AsyncGenerator<Buffer> {
    for (let left = sizeBytes; left > 0;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done === true) throw noCapture()
        this.#rest = value
      }
      const bytes = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(bytes.length)
      left -= bytes.length
      yield bytes
    }
  }

  async exactly(sizeBytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.take(sizeBytes)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async skip(sizeBytes: number): Promise<void> {
    for await (const _ of this.take(sizeBytes));
  }
}
