import { createWriteStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ArchiveError, ArchiveReader, firstEntry, type Member, restOfArchive } from './archive.ts'
import { type CaptureEvent, parseCaptureEvents } from './capture-events.ts'
import { readRtpLog, sizeOfRecord } from './rtp-log.ts'
import { TAR_END } from './tar.ts'

/** Extension of the file names of captures, which are tar archives. */
export const CAPTURE_EXTENSION = '.capture'

/**
 * The first entry of an archive, for readers that only need its kind and times. Format 1 is a whole capture. Format 2 is one of its
 * chunks, or the end mark, which has no other entry.
 */
export interface CaptureSummary {
  format: 1 | 2
  /** Beginning and known end of the capture's media, by its own clock, in milliseconds since 1970. */
  startMs: number
  endMs: number
}

const FORMATS = [1, 2]
const SUMMARY = 'capture.json'
const SUMMARY_MAX_BYTES = 4096
const EVENTS = 'facts.jsonl'
/** The files of a capture. Other entries of an archive are not extracted. */
const MEMBER = /^(capture\.json|facts\.jsonl|[\w-]{1,80}\.rtp)$/
const BESIDE = new RegExp(`^(.+\\${CAPTURE_EXTENSION})(?:-piece)?\\.[0-9]{6,}$`)

/** Writes the folder of an ended capture into one file. Throws if nothing was captured. */
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

/** The delivery of a running capture: everything since the chunk before. */
export interface CaptureChunk {
  archive: Buffer
  /** The time of its last packet or event. */
  endMs: number
}

/** The folder of a chunk as an archive; undefined if it is empty. `startMs`: the start of the capture. */
export async function packChunk(
  folder: string,
  startMs: number,
): Promise<CaptureChunk | undefined> {
  const contents = await readContents(folder)
  if (contents.members.length === 0) return undefined
  // The first events of a capture may be older than its beginning.
  const endMs = Math.max(endOf(contents), startMs + 1)
  const summary: CaptureSummary = { format: 2, startMs, endMs }
  const archive = Readable.from(archiveOf(folder, contents.members, summary))
  return { archive: await buffer(archive), endMs }
}

/** The content of the object with the capture's own name, written when all of its chunks are stored. */
export function captureEndMark(times: Omit<CaptureSummary, 'format'>): Buffer {
  return Buffer.concat([...summaryEntry({ format: 2, ...times }), TAR_END])
}

/** The name of a chunk beside that of its capture, ordered by number from 1. */
export function chunkNameOf(capture: string, number: number): string {
  return `${chunkPrefixOf(capture)}${String(number).padStart(6, '0')}`
}

/** The prefix of the names of a capture's chunks. */
export function chunkPrefixOf(capture: string): string {
  return `${capture}.`
}

/** The name of a composed piece beside that of its capture, ordered by number from 1. */
export function pieceNameOf(capture: string, number: number): string {
  return `${piecePrefixOf(capture)}${String(number).padStart(6, '0')}`
}

/** The prefix of the names of a capture's pieces. A release that knows none does not take them for chunks. */
export function piecePrefixOf(capture: string): string {
  return `${capture}-piece.`
}

/** The capture that a chunk or a piece belongs to; undefined for any other name. */
export function captureBeside(name: string): string | undefined {
  return BESIDE.exec(name)?.[1]
}

interface Contents {
  /** The files that are not empty, with the size of their whole records: the next chunk's are appended after them. */
  members: Member[]
  events: CaptureEvent[]
  /** Arrival of the last packet; 0 without one. */
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
  yield* restOfArchive(folder, members)
}

function summaryEntry(summary: CaptureSummary): Iterable<Buffer> {
  return firstEntry(SUMMARY, JSON.stringify(summary))
}

/** That was not ended, with the last that came. */
function endOf({ events, lastMs }: Contents): number {
  const stoppedMs = events.find(({ fact }) => fact === 'stopped')?.atMs
  return stoppedMs ?? Math.max(events.at(-1)?.atMs ?? 0, lastMs)
}

/**
 * Extracts an archive into a folder: an empty one, or that of the chunks before it. Throws `ArchiveError`, or the stream's
 * error.
 */
export async function unpackCapture(archive: Readable, folder: string): Promise<CaptureSummary> {
  const reader = new ArchiveReader(archive, MEMBER)
  const summary = await readSummary(reader)
  await reader.unpack(folder)
  return summary
}

/** Reads an archive's summary without the rest. Throws `ArchiveError`. */
export async function readCaptureSummary(archive: Readable): Promise<CaptureSummary> {
  try {
    return await readSummary(new ArchiveReader(archive, MEMBER))
  } finally {
    archive.destroy()
  }
}

async function readSummary(reader: ArchiveReader): Promise<CaptureSummary> {
  const summary = parse(await reader.first(SUMMARY, SUMMARY_MAX_BYTES))
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

function noCapture(): ArchiveError {
  return new ArchiveError('the file is not a capture')
}
