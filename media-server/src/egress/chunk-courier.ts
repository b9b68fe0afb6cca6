import { type Log, reasonOf } from '../lib/log.ts'
import type { RoomCapture } from './capture/room-capture.ts'
import type { ChunkTarget } from './chunk-target.ts'
import { ChunkDelivery, WHILE_CAPTURING } from './deliver-capture.ts'
import type { DeliveryProgress } from './delivery-progress.ts'
import type { StoredEgress, WorkFolder } from './work-folder.ts'

interface CourierOptions {
  work: WorkFolder
  target: ChunkTarget
  progress: DeliveryProgress
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
  readonly #delivery: ChunkDelivery
  readonly #stopping = new AbortController()
  readonly #timer: NodeJS.Timeout
  /** Number of the chunk that grows. */
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
    this.#delivery = new ChunkDelivery(egress, {
      ...options,
      signal: this.#stopping.signal,
      limits: WHILE_CAPTURING,
      onFailure: (error) => this.#note('chunk not delivered yet', error),
    })
    this.#number = (options.left.at(-1) ?? 0) + 1
    for (const number of options.left) this.#deliver(number, Date.now())
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
    try {
      const { egressId } = this.#egress.info
      const folder = await this.#options.work.makeChunk(egressId, this.#number + 1)
      const complete = this.#number++
      const completeAtMs = Date.now()
      await capture.moveOn(folder)
      this.#deliver(complete, completeAtMs)
    } catch (error) {
      // A full disk: the chunk keeps growing as long as it can.
      this.#note('chunk not begun', error)
    }
  }

  #deliver(number: number, completeAtMs: number): void {
    this.#sending = this.#sending.then(() => this.#send(number, completeAtMs))
  }

  async #send(number: number, completeAtMs: number): Promise<void> {
    if (this.#stopping.signal.aborted) return
    try {
      await this.#delivery.deliver(number)
      this.#options.progress.reach(completeAtMs)
    } catch {
      // It is delivered after the end, with what is left.
    }
  }

  #note(msg: string, error: unknown): void {
    const { egressId } = this.#egress.info
    this.#options.log({ level: 'warn', msg, egressId, reason: reasonOf(error) })
  }
}
