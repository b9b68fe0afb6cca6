import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeCaptureEvent } from '@interview-room/composer/capture/capture-events.ts'
import { EgressInfo } from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChunkTarget } from './chunk-target.ts'
import { deliverCapture } from './deliver-capture.ts'
import { nanos, setFile } from './info.ts'
import { WorkFolder } from './work-folder.ts'

const EGRESS_ID = 'EG_1'
const START_MS = 1_000_000
const CHUNKS = [1, 2, 3]

let folder: string
let work: WorkFolder
let stored: string[]
const target: ChunkTarget = {
  name: 'a.capture',
  async put(name) {
    stored.push(name)
    return name
  },
  close() {},
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deliver-capture-'))
  work = new WorkFolder(folder)
  stored = []
  for (const number of CHUNKS) {
    const chunk = await work.makeChunk(EGRESS_ID, number)
    const event = { fact: 'layout', layout: 'grid', atMs: START_MS + number * 1000 } as const
    await writeFile(path.join(chunk, 'facts.jsonl'), encodeCaptureEvent(event))
  }
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

function deliver(onFailure = () => {}): ReturnType<typeof deliverCapture> {
  const info = new EgressInfo({ egressId: EGRESS_ID })
  setFile(info, { startedAt: nanos(START_MS) })
  const { signal } = new AbortController()
  return deliverCapture({ info }, { work, target, signal, onFailure })
}

const chunkNames = CHUNKS.map((number) => `a.capture.00000${number}`)

describe('what is left of a capture', () => {
  test('is delivered in order, and the end mark after it', async () => {
    await expect(deliver()).resolves.toMatchObject({ durationMs: 3000 })
    expect(stored).toEqual([...chunkNames, 'a.capture'])
    expect(await work.listChunks(EGRESS_ID)).toEqual([3])
  })

  test('is delivered, too, from a disk on which nothing can be removed', async () => {
    vi.spyOn(work, 'removeChunk').mockRejectedValue(new Error('EROFS: read-only file system'))
    await deliver()
    expect(stored).toEqual([...chunkNames, 'a.capture'])
  })

  test('is delivered without a chunk that the disk does not give, and that is a failure', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    // A chunk whose events are no file.
    const broken = path.join(work.chunkFolderOf(EGRESS_ID, 2), 'facts.jsonl')
    await rm(broken)
    await mkdir(broken)
    const delivering = deliver(() => void vi.advanceTimersByTime(60_000))
    await expect(delivering).rejects.toThrow('EISDIR')
    expect(stored).toEqual([chunkNames[0], chunkNames[2]])
    expect(await work.listChunks(EGRESS_ID)).toEqual([2, 3])
  })
})
