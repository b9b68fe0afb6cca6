import { type Log, reasonOf } from '../log.ts'
import type { RoomCapture } from './capture/room-capture.ts'
import type { ChunkTarget } from './chunk-target.ts'
import { CHUNK_PAUSES_MS, deliverChunk } from './deliver-capture.ts'
import { keepTrying } from './keep-trying.ts'
import type { StoredEgress, WorkFolder } from './work-folder.ts'

interface CourierOptions {
  work: WorkFolder
  target: ChunkTarget
  log: Log
  /** How much a chunk has. */
  intervalMs: number
  /** Chunks that a process before this one has left. */
  left: readonly number[]
}

/**
 * Brings a capture to the storage while it grows, so that nothing but the last seconds depends on this
 * machine. The disk holds what the storage did not take yet, however long it is out of reach.
 */
export class ChunkCourier {
  readonly #egress: Pick<StoredEgress, 'info'>
  readonly #options: CourierOptions
  readonly #stopping = new AbortController()
  readonly #timer: NodeJS.Timeout
  /** Of the chunk that grows. */
  #number: number
  #moving: Promise<void> | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(
    egress: Pick<StoredEgress, 'info'>,
    capture: Pick<RoomCapture, 'moveOn'>,
    options: CourierOptions,
  ) {
    this.#egress = egress
    this.#options = options
    this.#number = (options.left.at(-1) ?? 0) + 1
    for (const number of options.left) this.#deliver(number)
    this.#timer = setInterval(() => {
      this.#moving ??= this.#moveOn(capture).finally(() => {
        this.#moving = undefined
      })
    }, options.intervalMs).unref()
  }

  /** Ends deliveries; what is not delivered yet stays on the disk. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#moving
    await this.#sending
    this.#options.target.close()
  }

  async #moveOn(capture: Pick<RoomCapture, 'moveOn'>): Promise<void> {
    const { work, log } = this.#options
    const { egressId } = this.#egress.info
    try {
      const folder = await work.makeChunk(egressId, this.#number + 1)
      const complete = this.#number++
      await capture.moveOn(folder)
      this.#deliver(complete)
    } catch (error) {
      // A full disk: the chunk keeps growing as long as it can.
      log({ level: 'warn', msg: 'chunk not begun', egressId, reason: reasonOf(error) })
    }
  }

  #deliver(number: number): void {
    this.#sending = this.#sending.then(() => this.#send(number))
  }

  async #send(number: number): Promise<void> {
    const { work, target, log } = this.#options
    const { egressId } = this.#egress.info
    const { signal } = this.#stopping
    const onFailure = (error: unknown) => {
      const reason = reasonOf(error)
      log({ level: 'warn', msg: 'chunk not delivered yet', egressId, number, reason })
    }
    if (signal.aborted) return
    await keepTrying(() => deliverChunk(this.#egress, number, { work, target, signal }), {
      signal,
      pausesMs: CHUNK_PAUSES_MS,
      onFailure,
    }).catch(() => {
      // It is delivered after the end, with what is left.
    })
  }
}
