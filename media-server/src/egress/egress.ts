import { type EgressInfo, EgressStatus } from '@livekit/protocol'
import type { EgressFault } from '../faults.ts'
import { type Log, reasonOf } from '../log.ts'
import type { Room } from '../room.ts'
import { RoomCapture } from './capture/room-capture.ts'
import { type EndReason, isFinal, nanos, setFile } from './info.ts'
import type { EgressJob } from './job.ts'
import type { Produced } from './produce.ts'
import type { WorkFolder } from './work-folder.ts'

/** What an egress needs of the outside. */
export interface EgressContext {
  work: WorkFolder
  log: Log
  limits: { startTimeoutMs: number; sessionMs: number }
  /** Composes and delivers, one egress after the other. A lost file is made and thrown away. */
  produce: (
    egress: { info: EgressInfo; job: EgressJob },
    how: { isLost: boolean },
  ) => Promise<Produced>
  /** Tells the webhook receivers of the present state. */
  tell: (info: EgressInfo, event: 'egress_started' | 'egress_updated' | 'egress_ended') => void
}

const ABORTED_CODE = 412
const LIMIT_CODE = 413
const FAILED_CODE = 500

/** One recording, from the request to the file: STARTING, ACTIVE, ENDING, and how it ended. */
export class Egress {
  readonly info: EgressInfo
  readonly job: EgressJob
  readonly #context: EgressContext
  readonly #fault: EgressFault | undefined
  #capture: RoomCapture | undefined
  #timer: NodeJS.Timeout | undefined
  #saved: Promise<void> = Promise.resolve()
  #isLimited = false
  #isSuspended = false

  constructor(
    { info, job }: { info: EgressInfo; job: EgressJob },
    context: EgressContext,
    fault?: EgressFault,
  ) {
    this.info = info
    this.job = job
    this.#context = context
    this.#fault = fault
  }

  get isFinal(): boolean {
    return isFinal(this.info)
  }

  /** Begins to capture; the folder has been made. */
  begin(room: Room): void {
    this.#tell('egress_started')
    if (this.#fault === 'fail_start') return this.#fail(new Error('Start failed'))
    if (this.#fault === 'abort') return this.#abort('Start signal not received')

    const { startTimeoutMs } = this.#context.limits
    this.#after(startTimeoutMs, () => this.#abort('Start signal not received'))
    const selection = this.job.selection
    const isDeaf = this.#fault === 'stay_starting'
    this.#capture = new RoomCapture(room, {
      folder: this.#context.work.captureFolderOf(this.info.egressId),
      selection: isDeaf ? { of: 'tracks', sids: [] } : selection,
      hooks: {
        onActive: (atMs) => this.#activate(atMs),
        onSourceClosed: () => this.end('Source closed'),
        onError: (error) => this.#fail(error),
      },
    })
  }

  setLayout(layout: string): void {
    this.#capture?.setLayout(layout)
    this.#touch()
    this.#save()
  }

  /** Ends it: what was captured becomes the file. Whatever has not begun is aborted. */
  end(reason: EndReason): void {
    const { status } = this.info
    if (status === EgressStatus.EGRESS_STARTING) {
      const isStop = reason === 'StopEgress API'
      return this.#abort(isStop ? 'Stop called before pipeline could start' : reason)
    }
    if (status !== EgressStatus.EGRESS_ACTIVE) return
    this.#isLimited = reason === 'Session limit reached'
    this.#setEnding(reason)
    void this.#finish(this.#stopCapture())
  }

  /** Goes on with an egress that a process before this one left behind. */
  recover(startedAtMs: number | undefined): void {
    if (startedAtMs === undefined) return this.#abort('Start signal not received')
    if (this.info.fileResults.length === 0) {
      setFile(this.info, { startedAt: nanos(startedAtMs) })
    }
    if (this.info.status !== EgressStatus.EGRESS_ENDING) this.#setEnding('Process killed')
    if (!this.info.details.includes('restarted')) this.info.details += '; the worker was restarted'
    this.#save()
    void this.#finish(Promise.resolve(undefined))
  }

  /** Lets go of the room; what was captured stays for the next process. */
  async suspend(): Promise<void> {
    this.#isSuspended = true
    clearTimeout(this.#timer)
    await this.#capture?.close()
    await this.#saved
  }

  #activate(atMs: number): void {
    if (this.info.status !== EgressStatus.EGRESS_STARTING) return
    this.info.status = EgressStatus.EGRESS_ACTIVE
    setFile(this.info, { startedAt: nanos(atMs) })
    this.#touch()
    const limitMs =
      this.#fault === 'limit_reached' ? LIMIT_FAULT_MS : this.#context.limits.sessionMs
    this.#after(limitMs, () => this.end('Session limit reached'))
    this.#save()
    this.#tell('egress_updated')
  }

  #setEnding(reason: EndReason): void {
    clearTimeout(this.#timer)
    this.info.status = EgressStatus.EGRESS_ENDING
    this.info.details = `End reason: ${reason}`
    this.#touch()
    this.#tell('egress_updated')
  }

  async #stopCapture(): Promise<number | undefined> {
    const endedAtMs = await this.#capture?.stop()
    this.#save()
    await this.#saved
    return endedAtMs
  }

  async #finish(stopped: Promise<number | undefined>): Promise<void> {
    try {
      await stopped
      if (this.#fault === 'stay_ending') return
      if (this.#fault === 'fail_at_stop') throw new Error('Encoding failed')
      const { durationMs, delivered } = await this.#context.produce(this, {
        isLost: this.#fault === 'missing_file',
      })
      const startedAt = this.info.fileResults[0]?.startedAt ?? 0n
      const duration = nanos(durationMs)
      setFile(this.info, {
        filename: delivered.filename,
        location: delivered.location,
        size: BigInt(delivered.sizeBytes),
        duration,
        endedAt: startedAt + duration,
      })
      if (this.#isLimited) this.#close('EGRESS_LIMIT_REACHED', 'Session limit reached', LIMIT_CODE)
      else this.#close('EGRESS_COMPLETE')
    } catch (error) {
      this.#fail(error)
    }
  }

  #abort(text: string): void {
    this.#close('EGRESS_ABORTED', text, ABORTED_CODE)
  }

  #fail(error: unknown): void {
    if (!this.#isSuspended) this.info.details = 'End reason: Failure'
    this.#close('EGRESS_FAILED', reasonOf(error), FAILED_CODE)
  }

  #close(status: keyof typeof EgressStatus, error = '', errorCode = 0): void {
    // What fails because the server closes has not ended.
    if (this.isFinal || this.#isSuspended) return
    clearTimeout(this.#timer)
    Object.assign(this.info, { status: EgressStatus[status], error, errorCode })
    this.#touch()
    this.info.endedAt = this.info.updatedAt
    void this.#cleanUp().finally(() => this.#tell('egress_ended'))
  }

  async #cleanUp(): Promise<void> {
    const { work, log } = this.#context
    const { egressId, status } = this.info
    try {
      await this.#capture?.close()
      await this.#saved
      await work.saveEnded(this.info)
      const isFailed = status === EgressStatus.EGRESS_FAILED
      await (isFailed ? work.setAside(egressId) : work.remove(egressId))
    } catch (error) {
      log({ level: 'error', msg: 'egress not cleaned up', egressId, reason: reasonOf(error) })
    }
  }

  #tell(event: 'egress_started' | 'egress_updated' | 'egress_ended'): void {
    this.#context.tell(this.info.clone(), event)
  }

  #touch(): void {
    this.info.updatedAt = nanos(Date.now())
  }

  #save(): void {
    const { work, log } = this.#context
    this.#saved = this.#saved
      .then(() => (this.isFinal ? undefined : work.save(this)))
      .catch((error: unknown) => {
        const { egressId } = this.info
        log({ level: 'error', msg: 'egress not saved', egressId, reason: reasonOf(error) })
      })
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer)
    if (ms > 0) this.#timer = setTimeout(act, Math.min(ms, TIMER_MAX_MS)).unref()
  }
}

const LIMIT_FAULT_MS = 2000
const TIMER_MAX_MS = 2 ** 31 - 1
