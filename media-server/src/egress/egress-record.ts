import { type EgressInfo, EgressStatus } from '@livekit/protocol'
import { type Log, reasonOf } from '../lib/log.ts'
import type { Production } from './deliver.ts'
import { DeliveryProgress } from './delivery-progress.ts'
import { type EndReason, isFinal, nanos, setFile } from './info.ts'
import type { EgressJob } from './job.ts'
import type { WorkFolder } from './work-folder.ts'

export type EgressEvent = 'egress_started' | 'egress_updated' | 'egress_ended'

export interface RecordContext {
  work: WorkFolder
  log: Log
  /** Sends the present state to the webhook receivers. */
  notify: (info: EgressInfo, event: EgressEvent) => void
}

const ABORTED_CODE = 412
const LIMIT_CODE = 413
const FAILED_CODE = 500

/** The state of an egress, in memory and on disk. Its status only goes forward. */
export class EgressRecord {
  readonly info: EgressInfo
  readonly job: EgressJob
  /** Progress of a capture that is delivered in chunks. */
  readonly progress = new DeliveryProgress()
  readonly #context: RecordContext
  readonly #unrecordable = new Set<string>()
  #saved: Promise<void> = Promise.resolve()

  constructor({ info, job }: { info: EgressInfo; job: EgressJob }, context: RecordContext) {
    this.info = info
    this.job = job
    this.#context = context
  }

  get isFinal(): boolean {
    return isFinal(this.info)
  }

  markStarted(): void {
    this.#notify('egress_started')
  }

  markActive(atMs: number): void {
    this.info.status = EgressStatus.EGRESS_ACTIVE
    setFile(this.info, { startedAt: nanos(atMs) })
    this.save()
    this.#notify('egress_updated')
  }

  markEnding(reason: EndReason): void {
    this.info.status = EgressStatus.EGRESS_ENDING
    this.info.details = [`End reason: ${reason}`, ...this.#lacks].join('; ')
    this.save()
    this.#notify('egress_updated')
  }

  /** Notes a track that the recording continues without. */
  noteUnrecordable(track: string): void {
    this.#unrecordable.add(track)
    this.info.details = this.#lacks.join()
    this.save()
    this.#notify('egress_updated')
  }

  async markComplete({ durationMs, delivered }: Production, isLimited: boolean): Promise<void> {
    const startedAt = this.info.fileResults[0]?.startedAt ?? 0n
    const duration = nanos(durationMs)
    setFile(this.info, {
      filename: delivered.filename,
      location: delivered.location,
      size: BigInt(delivered.sizeBytes),
      duration,
      endedAt: startedAt + duration,
    })
    if (isLimited) await this.#end('EGRESS_LIMIT_REACHED', 'Session limit reached', LIMIT_CODE)
    else await this.#end('EGRESS_COMPLETE')
  }

  async markAborted(text: string): Promise<void> {
    await this.#end('EGRESS_ABORTED', text, ABORTED_CODE)
  }

  async markFailed(error: unknown): Promise<void> {
    this.info.details = 'End reason: Failure'
    await this.#end('EGRESS_FAILED', reasonOf(error), FAILED_CODE)
  }

  /** A sign of life: callers see that it is being worked on. */
  touch(): void {
    if (!this.isFinal) this.info.updatedAt = nanos(Date.now())
  }

  /** Writes the present state down; a later state is never overwritten by an earlier one. */
  save(): void {
    this.info.updatedAt = nanos(Date.now())
    const { work } = this.#context
    this.#saved = this.#saved
      .then(() => (this.isFinal ? undefined : work.save(this)))
      .catch((error: unknown) => this.#complain('egress not saved', error))
  }

  /** Nothing is cleaned up before this is done. It must not reject. */
  waitFor(work: Promise<void>): void {
    this.#saved = Promise.all([this.#saved, work]).then(() => {})
  }

  async saved(): Promise<void> {
    await this.#saved
  }

  /** Tracks that the file lacks, for the details. */
  get #lacks(): string[] {
    if (this.#unrecordable.size === 0) return []
    return [`Not recorded: ${[...this.#unrecordable].join(', ')}`]
  }

  async #end(status: keyof typeof EgressStatus, error = '', errorCode = 0): Promise<void> {
    const updatedAt = nanos(Date.now())
    Object.assign(this.info, {
      status: EgressStatus[status],
      error,
      errorCode,
      updatedAt,
      endedAt: updatedAt,
    })
    await this.#saved
    await this.#cleanUp().catch((cause: unknown) => this.#complain('egress not cleaned up', cause))
    this.#notify('egress_ended')
  }

  async #cleanUp(): Promise<void> {
    const { work } = this.#context
    const { egressId, status } = this.info
    await work.saveEnded(this.info)
    const isFailed = status === EgressStatus.EGRESS_FAILED
    await (isFailed ? work.setAside(egressId) : work.remove(egressId))
  }

  #notify(event: EgressEvent): void {
    this.#context.notify(this.info.clone(), event)
  }

  #complain(msg: string, error: unknown): void {
    const { egressId } = this.info
    this.#context.log({ level: 'error', msg, egressId, reason: reasonOf(error) })
  }
}
