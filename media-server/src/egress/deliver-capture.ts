import {
  captureEndMark,
  chunkNameOf,
  packChunk,
} from '@interview-room/composer/capture/capture-archive.ts'
import { reasonOf } from '../lib/log.ts'
import type { ChunkTarget } from './chunk-target.ts'
import type { Production } from './deliver.ts'
import { beginMsOf } from './info.ts'
import { failingFor, isRefusal, keepTrying } from './keep-trying.ts'
import type { StoredEgress, WorkFolder } from './work-folder.ts'

/** Between two tries to read or store a chunk. */
const PAUSES_MS = [500, 1000, 2000, 5000]

/** Judgements that end the tries. */
export interface Limits {
  ofDisk: () => Judgement
  ofStorage: () => Judgement
}
type Judgement = (error: unknown) => boolean

interface DeliveryOptions {
  work: WorkFolder
  target: ChunkTarget
  signal: AbortSignal
  limits: Limits
  /** Called once for each object that is not delivered immediately. */
  onFailure: (error: unknown) => void
  /** Called with the moment up to which the storage has the capture. */
  onReached?: (untilMs: number) => void
}

/** The disk does not give a chunk. */
class UnreadableChunkError extends Error {
  override name = 'UnreadableChunkError'

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
  }
}

/** Brings the chunks of one capture to the storage, in order. */
export class ChunkDelivery {
  readonly #info: StoredEgress['info']
  readonly #options: DeliveryOptions
  /** The last that is delivered and still here. */
  #delivered: number | undefined

  constructor({ info }: Pick<StoredEgress, 'info'>, options: DeliveryOptions) {
    this.#info = info
    this.#options = options
  }

  /**
   * Delivers one chunk, and removes the one delivered before it from this disk: the last one stays, because it says
   * until when the capture goes. Answers that moment; undefined for a chunk with nothing in it.
   *
   * Throws what the disk or the storage said at last.
   */
  async deliver(number: number): Promise<number | undefined> {
    const { work, target, signal, limits, onFailure } = this.#options
    const { egressId } = this.#info
    const read = () => packChunk(work.chunkFolderOf(egressId, number), beginMsOf(this.#info))
    const patience = { signal, pausesMs: PAUSES_MS, onFailure }
    const chunk = await keepTrying(read, { ...patience, isFinal: limits.ofDisk() }).catch(
      (error: unknown) => {
        throw signal.aborted ? error : new UnreadableChunkError(error)
      },
    )
    if (chunk === undefined) {
      await this.#remove(number)
      return undefined
    }
    await this.put(chunkNameOf(target.name, number), chunk.archive)
    if (this.#delivered !== undefined) await this.#remove(this.#delivered)
    this.#delivered = number
    this.#options.onReached?.(chunk.endMs)
    return chunk.endMs
  }

  /** A chunk that cannot be removed goes away with the folder of the egress. */
  async #remove(number: number): Promise<void> {
    await this.#options.work.removeChunk(this.#info.egressId, number).catch(() => {})
  }

  /** Stores an object; answers its address. */
  async put(name: string, content: Buffer): Promise<string> {
    const { target, signal, limits, onFailure } = this.#options
    const patience = { signal, pausesMs: PAUSES_MS, onFailure, isFinal: limits.ofStorage() }
    return keepTrying(() => target.put(name, content, signal), patience)
  }
}

/** As long as the service waits for an egress that shows that it lives. */
const OUTAGE_MAX_MS = 24 * 60 * 60_000
/** Keys, rights and quotas can be mended meanwhile. */
const REFUSED_MAX_MS = 30 * 60_000
/** Time that a disk has to give a chunk. */
const DISK_MAX_MS = 60_000

/** While a capture lasts, the storage is given any time. */
export const WHILE_CAPTURING: Limits = {
  ofDisk: () => failingFor(DISK_MAX_MS),
  ofStorage: () => () => false,
}

const AFTER_THE_END: Limits = {
  ofDisk: () => failingFor(DISK_MAX_MS),
  ofStorage: () => eitherOf(failingFor(OUTAGE_MAX_MS), failingFor(REFUSED_MAX_MS, isRefusal)),
}

/** Both are asked each time: they count how long something lasts. */
function eitherOf(one: Judgement, other: Judgement): Judgement {
  return (error) => [one(error), other(error)].includes(true)
}

/**
 * Delivers what is left of a capture that has ended, and the end mark. Without a chunk that this disk does not give,
 * the others are delivered, and then it fails with the reason.
 */
export async function deliverCapture(
  egress: Pick<StoredEgress, 'info'>,
  way: Omit<DeliveryOptions, 'limits'>,
): Promise<Production> {
  const delivery = new ChunkDelivery(egress, { ...way, limits: AFTER_THE_END })
  const { egressId } = egress.info
  const startMs = beginMsOf(egress.info)
  let endMs: number | undefined
  let unreadable: UnreadableChunkError | undefined
  for (const number of await way.work.listChunks(egressId)) {
    try {
      endMs = (await delivery.deliver(number)) ?? endMs
    } catch (error) {
      if (!(error instanceof UnreadableChunkError)) throw error
      unreadable ??= error
    }
  }
  if (unreadable !== undefined) throw unreadable
  if (endMs === undefined) throw new Error('nothing was captured')
  const mark = captureEndMark({ startMs, endMs })
  const { name } = way.target
  const location = await delivery.put(name, mark)
  const delivered = { filename: name, location, sizeBytes: mark.length }
  return { durationMs: endMs - startMs, delivered }
}
