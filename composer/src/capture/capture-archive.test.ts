import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ArchiveError } from './archive.ts'
import {
  captureEndMark,
  captureBeside,
  chunkNameOf,
  packCapture,
  packChunk,
  readCaptureSummary,
  unpackCapture,
} from './capture-archive.ts'
import { encodeCaptureEvent, type CaptureEvent, readCaptureEvents } from './capture-events.ts'
import { encodeRecord } from './rtp-log.ts'
import { entryHead, paddingOf, TAR_END } from './tar.ts'

const run = promisify(execFile)
let folder: string
let capture: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capture-archive-'))
  capture = path.join(folder, 'capture')
  file = path.join(folder, 'archive.capture')
  await mkdir(capture)
})
afterEach(() => rm(folder, { recursive: true }))

const report = (atMs: number) =>
  encodeRecord({ kind: 'report', atMs, ssrc: 1, senderMs: 0, timestamp: 0 })
const LOG = Buffer.concat(Array.from({ length: 5000 }, (_, i) => report(2000 + i)))
const ENDED: CaptureEvent[] = [
  { fact: 'active', atMs: 1500.5 },
  { fact: 'stopped', atMs: 4000 },
]

async function written(events: readonly CaptureEvent[]): Promise<void> {
  const content = Buffer.concat(events.map(encodeCaptureEvent))
  await writeFile(path.join(capture, 'facts.jsonl'), content)
  await writeFile(path.join(capture, 'TR_VC-1_a.rtp'), LOG)
  await writeFile(path.join(capture, 'TR_empty.rtp'), '')
}

async function unpacked(archive: Readable): Promise<Record<string, Buffer>> {
  const target = path.join(folder, 'unpacked')
  await mkdir(target)
  await unpackCapture(archive, target)
  const names = await readdir(target)
  const files = names.map(async (name) => [name, await readFile(path.join(target, name))] as const)
  return Object.fromEntries(await Promise.all(files))
}

describe('a capture in one file', () => {
  test('is refused if the disk takes only the first part of a file', async () => {
    await written(ENDED)
    await writeFile(path.join(capture, 'TR_VC-1_a.rtp'), LOG.subarray(0, 12_000))
    await packCapture(capture, file)
    const target = path.join(folder, 'unpacked')
    await mkdir(target)
    const script = `
      import { createReadStream } from 'node:fs'
      import { unpackCapture } from ${JSON.stringify(path.join(import.meta.dirname, 'capture-archive.ts'))}
      await unpackCapture(createReadStream(${JSON.stringify(file)}), ${JSON.stringify(target)})
    `
    // No file may be longer than 8 KiB: a write beyond that fails as on a full disk.
    const limited = ['-c', 'ulimit -f 16; exec "$0" --input-type=module -e "$1"']
    await expect(run('sh', [...limited, process.execPath, script])).rejects.toThrow('EFBIG')
  })

  test('is read as it was written, and begins with its times', async () => {
    await written(ENDED)
    const summary = { format: 1, startMs: 1500.5, endMs: 4000 }
    expect(await packCapture(capture, file)).toEqual(summary)
    expect(await readCaptureSummary(createReadStream(file))).toEqual(summary)
    const files = await unpacked(createReadStream(file, { highWaterMark: 777 }))
    expect(Object.keys(files).toSorted()).toEqual(['TR_VC-1_a.rtp', 'facts.jsonl'])
    expect(files['TR_VC-1_a.rtp']?.equals(LOG)).toBe(true)
  })

  test('that was not closed ends with its last packet', async () => {
    await written(ENDED.slice(0, 1))
    expect((await packCapture(capture, file)).endMs).toBe(6999)
  })

  test('is a tar archive', async () => {
    await written(ENDED)
    await packCapture(capture, file)
    const { stdout } = await run('tar', ['-tf', file])
    expect(stdout.trim().split('\n')).toEqual(['capture.json', 'TR_VC-1_a.rtp', 'facts.jsonl'])
  })

  test('is not made when nothing was captured', async () => {
    await written([{ fact: 'joined', atMs: 1, participant: 'p', name: '' }])
    await expect(packCapture(capture, file)).rejects.toThrow('nothing was captured')
  })

  test('that is truncated anywhere is refused', async () => {
    await written(ENDED)
    await packCapture(capture, file)
    const whole = await readFile(file)
    for (const length of [0, 100, 512, 600, 2000, whole.length - 1024]) {
      const target = path.join(folder, `cut-${length}`)
      await mkdir(target)
      const cut = Readable.from([whole.subarray(0, length)])
      await expect(unpackCapture(cut, target)).rejects.toBeInstanceOf(ArchiveError)
    }
  })

  test.each(['../elsewhere.rtp', '/etc/elsewhere.rtp', 'notes.txt'])(
    'with a file %s is refused',
    async (name) => {
      const head = Buffer.from(JSON.stringify({ format: 1, startMs: 1, endMs: 2 }))
      const archive = [
        entryHead({ name: 'capture.json', sizeBytes: head.length }),
        head,
        paddingOf(head.length),
        entryHead({ name, sizeBytes: 512 }),
        Buffer.alloc(512),
        TAR_END,
      ]
      await expect(unpacked(Readable.from(archive))).rejects.toBeInstanceOf(ArchiveError)
    },
  )
})

function chunkOf(name: string, events: readonly CaptureEvent[], log: Buffer) {
  return chunkOfBytes(name, { events: Buffer.concat(events.map(encodeCaptureEvent)), log })
}

async function chunkOfBytes(name: string, { events, log }: { events: Buffer; log: Buffer }) {
  const chunk = path.join(folder, name)
  await mkdir(chunk)
  await writeFile(path.join(chunk, 'facts.jsonl'), events)
  await writeFile(path.join(chunk, 'TR_a.rtp'), log)
  return packChunk(chunk, 1500.5)
}

describe('a capture in chunks', () => {
  test('comes out as if it had been one, and each says how far it goes', async () => {
    const half = LOG.length / 2
    const first = await chunkOf('1', ENDED.slice(0, 1), LOG.subarray(0, half))
    const second = await chunkOf('2', ENDED.slice(1), LOG.subarray(half))
    expect([first?.endMs, second?.endMs]).toEqual([4499, 4000])
    const target = path.join(folder, 'whole')
    await mkdir(target)
    for (const chunk of [first, second]) {
      await unpackCapture(Readable.from([chunk?.archive ?? '']), target)
    }
    expect((await readFile(path.join(target, 'TR_a.rtp'))).equals(LOG)).toBe(true)
    expect(await readFile(path.join(target, 'facts.jsonl'), 'utf8')).toBe(
      ENDED.map((event) => encodeCaptureEvent(event).toString()).join(''),
    )
    const summary = await readCaptureSummary(Readable.from([first?.archive ?? '']))
    expect(summary).toEqual({ format: 2, startMs: 1500.5, endMs: 4499 })
  })

  test('is undefined if nothing was captured', async () => {
    expect(await chunkOf('1', [], Buffer.alloc(0))).toBeUndefined()
  })

  test('has everything from before the capture began, even if nothing followed', async () => {
    const before: CaptureEvent[] = [
      { fact: 'joined', atMs: 1000, participant: 'p', name: '' },
      { fact: 'active', atMs: 1500 },
    ]
    const chunk = await chunkOf('1', before, Buffer.concat([report(1200)]))
    expect(chunk?.endMs).toBe(1501.5)
    const files = await unpacked(Readable.from([chunk?.archive ?? '']))
    expect(Object.keys(files).toSorted()).toEqual(['TR_a.rtp', 'facts.jsonl'])
  })

  test('has no half records, after which the next chunk would be unreadable', async () => {
    const events = Buffer.concat(ENDED.map((event) => encodeCaptureEvent(event)))
    const half = LOG.length / 2
    const parts = [
      { events: events.subarray(0, 45), log: LOG.subarray(0, half - 10) },
      { events: events.subarray(events.indexOf('\n') + 1), log: LOG.subarray(half) },
    ]
    const target = path.join(folder, 'whole')
    await mkdir(target)
    for (const [number, part] of parts.entries()) {
      const chunk = await chunkOfBytes(String(number), part)
      await unpackCapture(Readable.from([chunk?.archive ?? '']), target)
    }
    expect(await readCaptureEvents(path.join(target, 'facts.jsonl'))).toEqual(ENDED)
    const log = await readFile(path.join(target, 'TR_a.rtp'))
    const lost = report(0).length
    expect(log.equals(Buffer.concat([LOG.subarray(0, half - lost), LOG.subarray(half)]))).toBe(true)
  })

  test('has an end mark without media', async () => {
    const mark = captureEndMark({ startMs: 1, endMs: 2 })
    expect(await unpacked(Readable.from([mark]))).toEqual({})
    expect(await readCaptureSummary(Readable.from([mark]))).toEqual({
      format: 2,
      startMs: 1,
      endMs: 2,
    })
  })

  test('is named after it, in the order of the numbers', () => {
    expect(chunkNameOf('t/r/a.capture', 12)).toBe('t/r/a.capture.000012')
    expect(captureBeside('t/r/a.capture.000012')).toBe('t/r/a.capture')
    expect(captureBeside('t/r/a.capture')).toBeUndefined()
    expect(captureBeside('t/r/a.mp4')).toBeUndefined()
  })
})
