import {
  captureEndMark,
  chunkNameOf,
  packChunk,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { ChunkTarget } from './chunk-target.ts'
import type { Production } from './deliver.ts'
import { beginMsOf } from './info.ts'
import { isRefusal, keepTrying } from './keep-trying.ts'
import type { StoredEgress, WorkFolder } from './work-folder.ts'

interface ChunkWay {
  work: WorkFolder
  target: ChunkTarget
  signal: AbortSignal
}

/**
 * Delivers one chunk of a capture, and removes those before it from this disk: the last one that was
 * delivered stays, because it says until when the capture goes. Answers that moment; undefined for a chunk
 * without media.
 */
export async function deliverChunk(
  { info }: Pick<StoredEgress, 'info'>,
  number: number,
  { work, target, signal }: ChunkWay,
): Promise<number | undefined> {
  const { egressId } = info
  const chunk = await packChunk(work.chunkFolderOf(egressId, number), beginMsOf(info))
  if (chunk === undefined) return undefined
  await target.put(chunkNameOf(target.name, number), chunk.archive, signal)
  for (const each of await work.listChunks(egressId)) {
    if (each < number) await work.removeChunk(egressId, each)
  }
  return chunk.endMs
}

interface CaptureWay extends ChunkWay {
  /** Told as delivered, and not there: a fault of tests. */
  isLost: boolean
  pausesMs: readonly number[]
}

/** Delivers what is left of a capture that has ended, and the end mark. */
export async function deliverCapture(
  egress: Pick<StoredEgress, 'info'>,
  { work, target, signal, isLost, pausesMs }: CaptureWay,
): Promise<Production> {
  const patience = { signal, pausesMs, isFinal: isRefusal }
  const startMs = beginMsOf(egress.info)
  let endMs: number | undefined
  for (const number of await work.listChunks(egress.info.egressId)) {
    const deliver = () => deliverChunk(egress, number, { work, target, signal })
    endMs = (await keepTrying(deliver, patience)) ?? endMs
  }
  if (endMs === undefined) throw new Error('nothing was captured')
  const mark = captureEndMark({ startMs, endMs })
  const { name } = target
  const location = isLost ? name : await keepTrying(() => target.put(name, mark, signal), patience)
  const delivered = { filename: name, location, sizeBytes: mark.length }
  return { durationMs: endMs - startMs, delivered }
}
