import { type EgressInfo, EgressStatus } from '@livekit/protocol'
import type { EgressFault } from '../api/faults.ts'
import { TwirpError } from '../api/twirp.ts'
import { reasonOf } from '../lib/log.ts'
import type { CaptureSource } from './capture/capture-source.ts'
import { type CaptureOptions, RoomCapture } from './capture/room-capture.ts'
import { ChunkCourier } from './chunk-courier.ts'
import { openChunkTarget } from './chunk-target.ts'
import type { Production } from './deliver.ts'
import { EgressRecord, type RecordContext } from './egress-record.ts'
import { beginMsOf, type EndReason, nanos, setFile } from './info.ts'
import { isOfCapture } from './output.ts'
import type { StoredEgress } from './work-folder.ts'

/** What an egress needs of the outside. */
export interface EgressContext extends RecordContext {
  /** `chunkMs`: how much is delivered at a time of a capture that is asked for. */
  limits: { startTimeoutMs: number; sessionMs: number; chunkMs: number }
  /** Composes and delivers, one egress after the other. A lost file is made and thrown away. */
  produce: (egress: StoredEgress, how: { isLost: boolean }) => Promise<Production>
}

/** Its turn to be composed may be long in coming. */
const SIGN_OF_LIFE_MS = 10_000
const RESTARTED = '; the worker was restarted'
const LIMIT_FAULT_MS = 2000
const CALLS_REFUSED = 2
const NO_START = 'Start signal not received'
const TIMER_MAX_MS = 2 ** 31 - 1

/** One recording, from the request to the file: STARTING, ACTIVE, ENDING, and how it ended. */
export class Egress {
  readonly record: EgressRecord
  readonly #context: EgressContext
  readonly #fault: EgressFault | undefined
  #capture: RoomCapture | undefined
  #courier: ChunkCourier | undefined
  #timer: NodeJS.Timeout | undefined
  #isLimited = false
  #isSuspended = false
  readonly #settled = Promise.withResolvers<void>()
  // What faults of tests make of it.
  #isUnwanted = false
  #isDead = false
  #callsRefused = 0

  constructor(stored: StoredEgress, context: EgressContext, fault?: EgressFault) {
    this.record = new EgressRecord(stored, context)
    this.#context = context
    this.#fault = fault
  }

  /** Begins to capture; the folder has been made. */
  begin(room: CaptureSource): void {
    const { record } = this
    record.markStarted()
    const { kind, delayMs = 0 } = this.#fault ?? {}
    if (kind === 'fail_start') return this.#close(() => record.markFailed('Start failed'))
    if (kind === 'abort') return this.#abort(NO_START)
    if (kind === 'begin_late') return this.#after(delayMs + 1, () => this.#beginLate(room))
    this.#beginCapture(room)
  }

  /** As a page that has loaded at last: it hears only now that it was to end. */
  #beginLate(room: CaptureSource): void {
    if (this.#isUnwanted || room.isFinished) return this.#abort(NO_START)
    this.#beginCapture(room)
  }

  #beginCapture(room: CaptureSource): void {
    this.#after(this.#context.limits.startTimeoutMs, () => this.#abort(NO_START))
    const folder = this.#context.work.firstFolderOf(this.record)
    this.#capture = this.#newCapture(room, { folder })
  }

  /** Continues to capture where a process before this one was killed: `left` are the chunks that it has written. */
  resume(room: CaptureSource, { folder, left }: { folder: string; left: readonly number[] }): void {
    const { info } = this.record
    const { sessionMs } = this.#context.limits
    const restMs = Math.max(1, beginMsOf(info) + sessionMs - Date.now())
    if (sessionMs > 0) this.#after(restMs, () => this.end('Session limit reached'))
    this.#capture = this.#newCapture(room, { folder, activeMs: beginMsOf(info) })
    this.#deliverChunks(left)
  }

  #newCapture(
    room: CaptureSource,
    continued: Pick<CaptureOptions, 'folder' | 'activeMs'>,
  ): RoomCapture {
    const { record } = this
    const isDeaf = this.#fault?.kind === 'stay_starting'
    return new RoomCapture(room, {
      ...continued,
      selection: isDeaf ? { of: 'tracks', sids: [] } : record.job.selection,
      hooks: {
        onActive: (atMs) => this.#activate(atMs),
        onSourceClosed: () => this.end('Source closed'),
        onError: (error) => this.#saveRest(error),
        onUnrecordable: (track) => record.noteUnrecordable(track),
      },
    })
  }

  setLayout(layout: string): void {
    this.#capture?.setLayout(layout)
    this.record.save()
  }

  /** Ends it for a caller; one that begins late answers when it has heard, as LiveKit Egress does. */
  async stop(): Promise<void> {
    this.refuseIfDeaf()
    this.end('StopEgress API')
    if (this.#isUnwanted) await this.#settled.promise
  }

  /** Throws 408 as for an egress whose worker does not answer: a fault of tests. */
  refuseIfDeaf(): void {
    const isDeaf = this.#fault?.kind === 'refuse_calls' && ++this.#callsRefused <= CALLS_REFUSED
    if (isDeaf || this.#isDead) throw new TwirpError('deadline_exceeded', 'request timed out')
  }

  /** Ends it: what was captured becomes the file. Whatever has not begun is aborted. */
  end(reason: EndReason): void {
    const { status } = this.record.info
    if (this.#isDead) return
    if (status === EgressStatus.EGRESS_STARTING) {
      const isStop = reason === 'StopEgress API'
      if (this.#fault?.kind === 'begin_late') {
        this.#isUnwanted = true
        return
      }
      return this.#abort(isStop ? 'Stop called before pipeline could start' : reason)
    }
    if (status !== EgressStatus.EGRESS_ACTIVE) return
    clearTimeout(this.#timer)
    this.#isLimited = reason === 'Session limit reached'
    // At this moment, whatever the notification and the disk take.
    const stopped = this.#capture?.stop()
    this.record.markEnding(reason)
    void this.#finish(stopped)
  }

  /** What is reported: while it records, with the bytes that are written so far. */
  get info(): EgressInfo {
    const info = this.record.info.clone()
    const isActive = info.status === EgressStatus.EGRESS_ACTIVE
    if (isActive) setFile(info, { size: BigInt(this.#capture?.writtenBytes ?? 0) })
    return info
  }

  /** Resumes an egress that a process before this one left behind. */
  recover(startedAtMs: number | undefined): void {
    if (startedAtMs === undefined) return this.#abort(NO_START)
    const { info } = this.record
    if (info.fileResults.length === 0) setFile(info, { startedAt: nanos(startedAtMs) })
    if (info.status === EgressStatus.EGRESS_ENDING) {
      if (!info.details.includes(RESTARTED)) info.details += RESTARTED
      this.record.save()
    } else {
      this.record.markEnding(`Process killed${RESTARTED}`)
    }
    void this.#finish()
  }

  /** Lets go of the room; what was captured stays for the next process. */
  async suspend(): Promise<void> {
    this.#isSuspended = true
    clearTimeout(this.#timer)
    await this.#capture?.close()
    await this.#courier?.stop()
    await this.record.saved()
  }

  /** What was written before the disk failed becomes the file. */
  #saveRest(error: Error): void {
    const { egressId, status } = this.record.info
    if (status === EgressStatus.EGRESS_STARTING) {
      return this.#close(() => this.record.markFailed(error))
    }
    if (status !== EgressStatus.EGRESS_ACTIVE) return
    this.#context.log({ level: 'error', msg: 'capture failed', egressId, reason: reasonOf(error) })
    this.end('Disk failure')
  }

  #activate(atMs: number): void {
    if (this.record.info.status !== EgressStatus.EGRESS_STARTING) return
    const { sessionMs } = this.#context.limits
    const { kind, delayMs = 0 } = this.#fault ?? {}
    const limitMs = kind === 'limit_reached' ? LIMIT_FAULT_MS : sessionMs
    this.#after(limitMs, () => this.end('Session limit reached'))
    if (kind === 'stay_active') this.#after(delayMs + 1, () => void this.#die())
    this.record.markActive(atMs)
    if (kind !== 'refuse_upload') this.#deliverChunks()
  }

  /** As if its worker were killed: it stays listed as it is, and nobody answers for it. */
  async #die(): Promise<void> {
    this.#isDead = true
    await this.#closeCapture()
    await this.#courier?.stop()
  }

  /** Not before there is a recording: of one that never begins nothing leaves this machine. */
  #deliverChunks(left: readonly number[] = []): void {
    const { work, log, limits } = this.#context
    const { output } = this.record.job
    if (this.#capture === undefined || !isOfCapture(output)) return
    const target = openChunkTarget(output)
    const options = { work, target, log, intervalMs: limits.chunkMs, left }
    this.#courier = new ChunkCourier(this.record, this.#capture, options)
  }

  async #finish(stopped?: Promise<number>): Promise<void> {
    try {
      await stopped
      await this.#courier?.stop()
      await this.record.saved()
      const { kind } = this.#fault ?? {}
      if (kind === 'stay_ending') return
      if (kind === 'fail_at_stop') throw new Error('Encoding failed')
      if (kind === 'refuse_upload') throw new Error('S3 upload failed: AccessDenied')
      const isLost = kind === 'missing_file'
      const produced = await this.#showingLife(() => this.#context.produce(this.record, { isLost }))
      this.#close(() => this.record.markComplete(produced, this.#isLimited))
    } catch (error) {
      this.#close(() => this.record.markFailed(error))
    }
  }

  async #showingLife<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => this.record.touch(), SIGN_OF_LIFE_MS).unref()
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  #abort(text: string): void {
    this.#close(() => this.record.markAborted(text))
  }

  #close(mark: () => Promise<void>): void {
    // What fails because the server closes has not ended.
    if (this.record.isFinal || this.#isSuspended) return
    clearTimeout(this.#timer)
    this.record.waitFor(this.#closeCapture())
    void mark().finally(() => this.#settled.resolve())
  }

  async #closeCapture(): Promise<void> {
    await this.#capture?.close().catch((error: unknown) => {
      this.#context.log({
        level: 'warn',
        msg: 'closing the capture failed',
        reason: reasonOf(error),
      })
    })
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer)
    if (ms > 0) this.#timer = setTimeout(act, Math.min(ms, TIMER_MAX_MS)).unref()
  }
}
