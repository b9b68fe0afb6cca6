import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CaptureEvent, parseCaptureEvents } from './capture-events.ts'
import { readRtpLog, sizeOfRecord } from './rtp-log.ts'
import { entryHead, ENTRY_BLOCK_BYTES, paddingOf, readEntryHead, TAR_END } from './tar.ts'

/** How file names of captures end: they are tar archives. */
export const CAPTURE_EXTENSION = '.capture'

/**
 * The first entry of an archive, for readers that only need to know what it is. Format 1 is a whole capture.
 * Format 2 is one of its chunks, or the end mark, which has no other entry.
 */
export interface CaptureSummary {
  format: 1 | 2
  /** When media of the capture begins, and ends as far as is known, by its own clock, in milliseconds since 1970. */
  startMs: number
  endMs: number
}

const FORMATS = [1, 2]
const SUMMARY = 'capture.json'
const SUMMARY_MAX_BYTES = 4096
const EVENTS = 'facts.jsonl'
/** What a capture consists of: nothing else is taken out of an archive. */
const MEMBER = /^(capture\.json|facts\.jsonl|[\w-]{1,80}\.rtp)$/
const CHUNK = new RegExp(`^(.+\\${CAPTURE_EXTENSION})\\.[0-9]{6,}$`)

/** Not a capture, or an incomplete one. */
export class CaptureArchiveError extends Error {
  override name = 'CaptureArchiveError'
}

/** Writes the folder of a capture that has ended into one file. Throws when nothing was captured. */
export async function packCapture(folder: string, file: string): Promise<CaptureSummary> {
  const contents = await readContents(folder)
  const startMs = contents.events.find(({ fact }) => fact === 'active')?.atMs
  const endMs = endOf(contents)
  if (startMs === undefined || endMs <= startMs) throw new Error('nothing was captured')
  const summary: CaptureSummary = { format: 1, startMs, endMs }
  const target = createWriteStream(file, { mode: 0o600 })
  await pipeline(Readable.from(archiveOf(folder, contents.members, summary)), target)
  return summary
}

/** What is delivered of a capture while it lasts: what was captured since the chunk before. */
export interface CaptureChunk {
  archive: Buffer
  /** When the last of it came. */
  endMs: number
}

/** The folder of a chunk as an archive; undefined when there is nothing in it. `startMs`: of the capture. */
export async function packChunk(
  folder: string,
  startMs: number,
): Promise<CaptureChunk | undefined> {
  const contents = await readContents(folder)
  if (contents.members.length === 0) return undefined
  // What a capture begins with may all be older than its beginning.
  const endMs = Math.max(endOf(contents), startMs + 1)
  const summary: CaptureSummary = { format: 2, startMs, endMs }
  const archive = Readable.from(archiveOf(folder, contents.members, summary))
  return { archive: await buffer(archive), endMs }
}

/** What stands under the name of a capture when all of its chunks are there. */
export function captureEndMark(times: Omit<CaptureSummary, 'format'>): Buffer {
  return Buffer.concat([...summaryEntry({ format: 2, ...times }), TAR_END])
}

/** The name of a chunk, beside that of its capture: in the order of their numbers, from 1. */
export function chunkNameOf(capture: string, number: number): string {
  return `${chunkPrefixOf(capture)}${String(number).padStart(6, '0')}`
}

/** How the names of the chunks of a capture begin. */
export function chunkPrefixOf(capture: string): string {
  return `${capture}.`
}

/** The capture that a chunk belongs to; undefined for the name of anything else. */
export function captureOfChunk(name: string): string | undefined {
  return CHUNK.exec(name)?.[1]
}

interface Member {
  name: string
  /** Of the whole records in it: what follows in the next chunk is appended behind them. */
  sizeBytes: number
}

interface Contents {
  /** Those that are not empty. */
  members: Member[]
  events: CaptureEvent[]
  /** When the last packet came; 0 without one. */
  lastMs: number
}

async function readContents(folder: string): Promise<Contents> {
  const contents: Contents = { members: [], events: [], lastMs: 0 }
  for (const name of (await readdir(folder)).toSorted()) {
    if (!MEMBER.test(name) || name === SUMMARY) continue
    const file = path.join(folder, name)
    const sizeBytes =
      name === EVENTS ? await takeEvents(file, contents) : await takeLog(file, contents)
    if (sizeBytes > 0) contents.members.push({ name, sizeBytes })
  }
  return contents
}

async function takeEvents(file: string, contents: Contents): Promise<number> {
  const bytes = await readFile(file)
  contents.events = parseCaptureEvents(bytes.toString('utf8'))
  return bytes.lastIndexOf('\n') + 1
}

async function takeLog(file: string, contents: Contents): Promise<number> {
  let sizeBytes = 0
  for await (const record of readRtpLog(file)) {
    contents.lastMs = Math.max(contents.lastMs, record.atMs)
    sizeBytes += sizeOfRecord(record)
  }
  return sizeBytes
}

async function* archiveOf(
  folder: string,
  members: readonly Member[],
  summary: CaptureSummary,
): AsyncGenerator<Buffer> {
  yield* summaryEntry(summary)
  for (const { name, sizeBytes } of members) {
    yield entryHead({ name, sizeBytes })
    const file = path.join(folder, name)
    yield* createReadStream(file, { end: sizeBytes - 1 }) as AsyncIterable<Buffer>
    yield paddingOf(sizeBytes)
  }
  yield TAR_END
}

function summaryEntry(summary: CaptureSummary): Buffer[] {
  const head = Buffer.from(JSON.stringify(summary))
  return [entryHead({ name: SUMMARY, sizeBytes: head.length }), head, paddingOf(head.length)]
}

/** That was not ended, with the last that came. */
function endOf({ events, lastMs }: Contents): number {
  const stoppedMs = events.find(({ fact }) => fact === 'stopped')?.atMs
  return stoppedMs ?? Math.max(events.at(-1)?.atMs ?? 0, lastMs)
}

/**
 * Takes an archive apart into a folder: an empty one, or that of the chunks before it. Throws
 * `CaptureArchiveError`, or what the stream throws.
 */
export async function unpackCapture(archive: Readable, folder: string): Promise<CaptureSummary> {
  const reader = new ByteReader(archive)
  const summary = await readSummary(reader)
  for (;;) {
    const entry = await nextEntry(reader)
    if (entry === undefined) return summary
    const file = await open(path.join(folder, entry.name), 'a', 0o600)
    try {
      // Until all of it is written: `write` takes less where the disk is nearly full.
      for await (const bytes of reader.take(entry.sizeBytes)) await file.appendFile(bytes)
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
  if (summary === undefined || !FORMATS.includes(summary.format)) throw noCapture()
  if (!(summary.endMs > summary.startMs)) throw noCapture()
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
