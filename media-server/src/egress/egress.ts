import { type EgressInfo, EgressStatus } from '@livekit/protocol'
import { reasonOf } from '../lib/log.ts'
import type { CaptureSource } from './capture/capture-source.ts'
import { type CaptureOptions, RoomCapture } from './capture/room-capture.ts'
import { ChunkCourier } from './chunk-courier.ts'
import { openChunkTarget } from './chunk-target.ts'
import type { Production } from './deliver.ts'
import { EgressRecord, type RecordContext } from './egress-record.ts'
import { beginMsOf, type EndReason, nanos, setFile, trackResult } from './info.ts'
import { isOfCapture } from './output.ts'
import type { StoredEgress } from './work-folder.ts'

/** The outside, as far as an egress needs it. */
export interface EgressContext extends RecordContext {
  /** `chunkMs`: how much is delivered at a time of a capture that is asked for. */
  limits: { startTimeoutMs: number; sessionMs: number; chunkMs: number }
  /** Composes and delivers, one egress after the other. */
  produce: (egress: EgressRecord) => Promise<Production>
}

/** Its turn to be composed may be long in coming. */
const SIGN_OF_LIFE_MS = 10_000
const RESTARTED = '; the worker was restarted'
export const NO_START = 'Start signal not received'
const TIMER_MAX_MS = 2 ** 31 - 1

/** One recording, from the request to the file: STARTING, ACTIVE, ENDING, and how it ended. */
export class Egress {
  readonly record: EgressRecord
  readonly #context: EgressContext
  #capture: RoomCapture | undefined
  #courier: ChunkCourier | undefined
  #timer: NodeJS.Timeout | undefined
  #isLimited = false
  #isSuspended = false

  constructor(stored: StoredEgress, context: EgressContext) {
    this.record = new EgressRecord(stored, context)
    this.#context = context
  }

  /** Begins to capture; the folder has been made. */
  begin(room: CaptureSource): void {
    this.record.markStarted()
    this.beginCapture(room)
  }

  protected beginCapture(room: CaptureSource): void {
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
    return new RoomCapture(room, {
      ...continued,
      selection: record.job.selection,
      hooks: {
        onActive: (atMs) => this.activate(atMs),
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

  /** Ends it for a caller, and answers what is reported then. */
  async stop(): Promise<EgressInfo> {
    this.end('StopEgress API')
    return this.info
  }

  /** Ends it: what was captured becomes the file. Whatever has not begun is aborted. */
  end(reason: EndReason): void {
    const { status } = this.record.info
    if (status === EgressStatus.EGRESS_STARTING) {
      const isStop = reason === 'StopEgress API'
      return this.#abort(isStop ? 'Stop called before pipeline could start' : reason)
    }
    if (status !== EgressStatus.EGRESS_ACTIVE) return
    clearTimeout(this.#timer)
    this.#isLimited = reason === 'Session limit reached'
    // At this moment, whatever the notification and the disk take.
    const stopped = this.#capture?.stop()
    this.record.progress.end()
    this.record.markEnding(reason)
    void this.#finish(stopped)
  }

  /** The info as reported: while it records, with the bytes that are written so far, and every track. */
  get info(): EgressInfo {
    const info = this.record.info.clone()
    const { refusal, undeliveredSec } = this.record.progress
    if (refusal !== undefined && !this.record.isFinal) {
      const undelivered = `Undelivered: ${undeliveredSec} s (${refusal})`
      info.details = [info.details, undelivered].filter((each) => each !== '').join('; ')
    }
    if (info.status !== EgressStatus.EGRESS_ACTIVE) return info
    setFile(info, { size: BigInt(this.#capture?.writtenBytes ?? 0) })
    info.streamResults = (this.#capture?.trackReports ?? []).map(trackResult)
    return info
  }

  /** Resumes an egress that a process before this one left behind. */
  recover(startedAtMs: number | undefined): void {
    if (startedAtMs === undefined) return this.#abort(NO_START)
    const { info, progress } = this.record
    progress.end()
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

  /** After a failure of the disk, everything written before it becomes the file. */
  #saveRest(error: Error): void {
    const { egressId, status } = this.record.info
    if (status === EgressStatus.EGRESS_STARTING) {
      return this.#close(() => this.record.markFailed(error))
    }
    if (status !== EgressStatus.EGRESS_ACTIVE) return
    this.#context.log({ level: 'error', msg: 'capture failed', egressId, reason: reasonOf(error) })
    this.end('Disk failure')
  }

  protected activate(atMs: number): void {
    if (this.record.info.status !== EgressStatus.EGRESS_STARTING) return
    const { sessionMs } = this.#context.limits
    this.#after(sessionMs, () => this.end('Session limit reached'))
    this.record.markActive(atMs)
    this.#deliverChunks()
  }

  /** Not before there is a recording: of one that never begins nothing leaves this machine. */
  #deliverChunks(left: readonly number[] = []): void {
    const { work, log, limits } = this.#context
    const { output } = this.record.job
    if (this.#capture === undefined || !isOfCapture(output)) return
    const { progress, info } = this.record
    // No more than a former process left is undelivered.
    const leftMs = (left.length + 1) * limits.chunkMs
    progress.reach(Math.max(beginMsOf(info), Date.now() - leftMs))
    const target = progress.watch(openChunkTarget(output))
    const options = { work, target, progress, log, intervalMs: limits.chunkMs, left }
    this.#courier = new ChunkCourier(this.record, this.#capture, options)
  }

  async #finish(stopped?: Promise<number>): Promise<void> {
    try {
      await stopped
      await this.#courier?.stop()
      await this.record.saved()
      const produced = await this.#showingLife(() => this.#context.produce(this.record))
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
    // An egress that fails because the server closes has not ended.
    if (this.record.isFinal || this.#isSuspended) return
    clearTimeout(this.#timer)
    this.record.waitFor(this.#closeCapture())
    void mark()
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
