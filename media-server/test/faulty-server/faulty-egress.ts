import { rm } from 'node:fs/promises'
import { type EgressInfo, EgressStatus } from '@livekit/protocol'
import type { CaptureSource } from '../../src/egress/capture/capture-source.ts'
import { Egress, type EgressContext, NO_START } from '../../src/egress/egress.ts'
import type { EndReason } from '../../src/egress/info.ts'
import type { Output } from '../../src/egress/job.ts'
import type { StoredEgress } from '../../src/egress/work-folder.ts'
import type { EgressFault } from './faults.ts'

const LIMIT_MS = 2000
const CALLS_REFUSED = 2
const NEVER_MS = 2 ** 31 - 1

/** An egress that goes wrong in one way. */
export class FaultyEgress extends Egress {
  readonly #fault: EgressFault
  readonly #heard = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  /** It has not begun yet. */
  #isLate = false
  #isUnwanted = false
  #isDead = false
  #callsIgnored = 0

  constructor(stored: StoredEgress, context: EgressContext, fault: EgressFault) {
    super(stored, faultyContext(context, fault))
    this.#fault = fault
  }

  /** Takes note of a call; true when it gets no answer. */
  ignoresCall(): boolean {
    if (this.record.isFinal) return false
    if (this.#isDead) return true
    return this.#fault.kind === 'refuse_calls' && ++this.#callsIgnored <= CALLS_REFUSED
  }

  /** A stop of one that begins late is answered when it has been heard, as by LiveKit Egress. */
  override async stop(): Promise<EgressInfo> {
    const stopped = await super.stop()
    if (!this.#isUnwanted) return stopped
    await this.#heard.promise
    return this.info
  }

  override end(reason: EndReason): void {
    if (this.#isLate) this.#isUnwanted = true
    else if (!this.#isDead) super.end(reason)
  }

  override async suspend(): Promise<void> {
    clearTimeout(this.#timer)
    await super.suspend()
  }

  protected override beginCapture(room: CaptureSource): void {
    const { kind, delayMs } = this.#fault
    if (kind === 'fail_start') void this.record.markFailed('Start failed')
    else if (kind === 'abort') void this.record.markAborted(NO_START)
    else if (kind === 'begin_late') {
      this.#isLate = true
      this.#timer = setTimeout(() => void this.#beginLate(room), delayMs).unref()
    } else super.beginCapture(kind === 'stay_starting' ? emptied(room) : room)
  }

  protected override activate(atMs: number): void {
    super.activate(atMs)
    const { kind, delayMs } = this.#fault
    if (kind === 'stay_active') this.#timer = setTimeout(() => this.#die(), delayMs).unref()
  }

  /** Like a page that has loaded at last, which hears only now that it was to end. */
  async #beginLate(room: CaptureSource): Promise<void> {
    this.#isLate = false
    if (!this.#isUnwanted && !room.isFinished) return super.beginCapture(room)
    await this.record.markAborted(NO_START)
    this.#heard.resolve()
  }

  /** As if its worker were killed: it stays listed as it is, and nobody answers for it. */
  #die(): void {
    if (this.record.info.status !== EgressStatus.EGRESS_ACTIVE) return
    this.#isDead = true
    void this.suspend()
  }
}

function faultyContext(context: EgressContext, { kind }: EgressFault): EgressContext {
  const { limits } = context
  if (kind === 'limit_reached') return { ...context, limits: { ...limits, sessionMs: LIMIT_MS } }
  if (kind === 'fail_at_stop') return { ...context, produce: failing('Encoding failed') }
  if (kind === 'missing_file') {
    return {
      ...context,
      async produce(egress) {
        const production = await context.produce(egress)
        await remove(egress.job.output)
        return production
      },
    }
  }
  if (kind !== 'refuse_upload') return context
  const produce = failing('S3 upload failed: AccessDenied')
  return { ...context, limits: { ...limits, chunkMs: NEVER_MS }, produce }
}

function failing(text: string): EgressContext['produce'] {
  return () => Promise.reject(new Error(text))
}

async function remove(output: Output): Promise<void> {
  if (output.kind === 's3') throw new Error('only a file of this machine can go missing')
  await rm(output.file)
}

/** The room as if nobody were in it. */
function emptied(room: CaptureSource): CaptureSource {
  return {
    participants: new Map(),
    watchers: room.watchers,
    get isFinished() {
      return room.isFinished
    },
    leave: () => room.leave?.(),
  }
}
