import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeRecord, type LogRecord, readRtpLog } from './rtp-log.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rtp-log-'))
})

afterEach(() => rm(folder, { recursive: true }))

const packets = Array.from({ length: 50 }, (_, i): LogRecord => {
  if (i === 20)
    return { kind: 'report', atMs: 1000.5 + i, ssrc: 7, senderMs: 2000.25, timestamp: 9 }
  return {
    kind: 'packet',
    atMs: 1000.5 + i,
    ssrc: 0xffff_fff0,
    sequenceNumber: 65_530 + (i % 6),
    timestamp: 0xffff_ff00 + i,
    layer: i % 3,
    isLast: i % 2 === 0,
    level: 127 - i,
    payload: Buffer.alloc(i * 25, i),
  }
})
const bytes = Buffer.concat(packets.map(encodeRecord))

async function read(content: Buffer): Promise<LogRecord[]> {
  const file = path.join(folder, 'log.rtp')
  await writeFile(file, content)
  const records: LogRecord[] = []
  for await (const record of readRtpLog(file)) records.push(record)
  return records
}

describe('the log of a track', () => {
  test('returns the written records', async () => {
    expect(await read(bytes)).toEqual(packets)
  })

  test('that is longer than one read is read completely', async () => {
    const long = Array.from({ length: 30 }, () => bytes)
    expect(await read(Buffer.concat(long))).toHaveLength(30 * packets.length)
  })

  test('that is truncated anywhere returns every complete record before the cut', async () => {
    const ends = packets.map(
      (_, i) => Buffer.concat(packets.slice(0, i + 1).map(encodeRecord)).length,
    )
    for (const cut of [0, 1, 2, 30, 500, 5000, bytes.length - 1]) {
      const whole = ends.filter((end) => end <= cut).length
      expect(await read(bytes.subarray(0, cut))).toEqual(packets.slice(0, whole))
    }
  })

  test('returns the records before invalid bytes', async () => {
    expect(await read(Buffer.concat([bytes, Buffer.alloc(4096)]))).toEqual(packets)
  })
})
