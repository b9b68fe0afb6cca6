import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaptureEvent, encodeCaptureEvent } from './capture/capture-events.ts'
import { encodeRecord } from './capture/rtp-log.ts'

const PEOPLE = 6
const LENGTH_MS = 20 * 60_000
const PACKET_MS = 20
const TICKS_PER_MS = 48
const BEGAN_AT = Date.UTC(2026, 5, 1)
/** 20 ms of silence, in Opus. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe])
/** Heap of the worker that reads the capture: a quarter of what an object for each packet would take. */
const HEAP_MIB = 48

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'long-capture-'))
  await mkdir(path.join(folder, 'scratch'))
  const events: CaptureEvent[] = [{ fact: 'active', atMs: BEGAN_AT }]
  for (let i = 0; i < PEOPLE; i++) {
    const [participant, track] = [`PA_${i}`, `TR_${i}`]
    events.push(
      { fact: 'joined', participant, name: participant, atMs: BEGAN_AT },
      {
        fact: 'published',
        participant,
        track,
        role: 'microphone',
        isMuted: false,
        atMs: BEGAN_AT,
      },
    )
    await writeFile(path.join(folder, `${track}.rtp`), logOf(i + 1))
  }
  events.push({ fact: 'stopped', atMs: BEGAN_AT + LENGTH_MS })
  await writeFile(path.join(folder, 'facts.jsonl'), Buffer.concat(events.map(encodeCaptureEvent)))
})
afterAll(() => rm(folder, { recursive: true }))

function logOf(ssrc: number): Buffer {
  return Buffer.concat(
    Array.from({ length: LENGTH_MS / PACKET_MS }, (_, i) =>
      encodeRecord({
        kind: 'packet',
        atMs: BEGAN_AT + i * PACKET_MS,
        ssrc,
        sequenceNumber: i & 0xffff,
        timestamp: i * PACKET_MS * TICKS_PER_MS,
        layer: 0,
        isLast: true,
        level: 127,
        payload: SILENCE,
      }),
    ),
  )
}

test('a long capture of many people is read in a small heap', async () => {
  const reader = new URL('read-material.ts', import.meta.url).href
  const program = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(reader)}).then(async ({ readMaterials }) => {
      const [{ voices }] = await readMaterials(${JSON.stringify([folder])}, ${JSON.stringify(path.join(folder, 'scratch'))})
      parentPort.postMessage(voices.map(({ audio }) => audio.units.length))
    })
  `
  const worker = new Worker(program, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  const [lengths] = (await once(worker, 'message')) as [number[]]
  expect(lengths).toEqual(Array.from({ length: PEOPLE }, () => LENGTH_MS / PACKET_MS))
})
