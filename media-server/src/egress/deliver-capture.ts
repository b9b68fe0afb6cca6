import {
  captureEndMark,
  chunkNameOf,
  packChunk,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { ChunkTarget } from './chunk-target.ts'
import type { Production } from './deliver.ts'
import { beginMsOf } from './info.ts'
import { failingFor, isRefusal, keepTrying } from './keep-trying.ts'
import type { StoredEgress, WorkFolder } from './work-folder.ts'

interface ChunkWay {
  work: WorkFolder
  target: ChunkTarget
  signal: AbortSignal
}

/** Between two tries to store a chunk. */
export const CHUNK_PAUSES_MS = [500, 1000, 2000, 5000]

type EgressOf = Pick<StoredEgress, 'info'>

/**
 * Delivers one chunk of a capture, and removes those before it from this disk: the last one that was
 * delivered stays, because it says until when the capture goes.
 */
export async function deliverChunk(
  egress: EgressOf,
  number: number,
  { work, target, signal }: ChunkWay,
): Promise<void> {
  const chunk = await readChunk(egress, number, work)
  if (chunk === undefined) return
  await target.put(chunkNameOf(target.name, number), chunk.archive, signal)
  await removeBefore(egress, number, work)
}

/** Undefined for a chunk without media. */
function readChunk({ info }: EgressOf, number: number, work: WorkFolder) {
  return packChunk(work.chunkFolderOf(info.egressId, number), beginMsOf(info))
}

async function removeBefore({ info }: EgressOf, number: number, work: WorkFolder): Promise<void> {
  for (const each of await work.listChunks(info.egressId)) {
    if (each < number) await work.removeChunk(info.egressId, each)
  }
}

/** As long as the service waits for an egress that shows that it lives. */
const OUTAGE_MAX_MS = 24 * 60 * 60_000
/** Keys, rights and quotas can be mended meanwhile. */
const REFUSED_MAX_MS = 30 * 60_000
/** Of a disk that does not give what was captured. */
const DISK_MAX_MS = 30 * 60_000

interface CaptureWay extends ChunkWay {
  /** Reported as delivered, and not there: a fault of tests. */
  isLost: boolean
  /** Called once for each object that the storage does not take immediately. */
  onFailure: (error: unknown) => void
}

/** Delivers what is left of a capture that has ended, and the end mark. */
export async function deliverCapture(
  egress: EgressOf,
  { work, target, signal, isLost, onFailure }: CaptureWay,
): Promise<Production> {
  const pausesMs = CHUNK_PAUSES_MS
  const fromDisk = <T>(act: () => Promise<T>) =>
    keepTrying(act, { signal, pausesMs, isFinal: failingFor(DISK_MAX_MS) })
  const put = (name: string, content: Buffer) => {
    const isFinal = eitherOf(failingFor(OUTAGE_MAX_MS), failingFor(REFUSED_MAX_MS, isRefusal))
    const patience = { signal, pausesMs, onFailure, isFinal }
    return keepTrying(() => target.put(name, content, signal), patience)
  }

  const startMs = beginMsOf(egress.info)
  let endMs: number | undefined
  for (const number of await work.listChunks(egress.info.egressId)) {
    const chunk = await fromDisk(() => readChunk(egress, number, work))
    if (chunk === undefined) continue
    await put(chunkNameOf(target.name, number), chunk.archive)
    await fromDisk(() => removeBefore(egress, number, work))
    endMs = chunk.endMs
  }
  if (endMs === undefined) throw new Error('nothing was captured')
  const mark = captureEndMark({ startMs, endMs })
  const { name } = target
  const location = isLost ? name : await put(name, mark)
  const delivered = { filename: name, location, sizeBytes: mark.length }
  return { durationMs: endMs - startMs, delivered }
}

type Judgement = (error: unknown) => boolean

/** Both are asked each time: they count how long something lasts. */
function eitherOf(one: Judgement, other: Judgement): Judgement {
  return (error) => [one(error), other(error)].includes(true)
}
