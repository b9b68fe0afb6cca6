import type { TestConnection } from '../connection/test-connection.ts'
import { sampleOf } from '../measurement/read-stats.ts'
import type { Sample } from '../measurement/sample.ts'
import { countedSecOf, silentMsOf } from '../measurement/silence.ts'
import { type Plan, SAMPLE_EVERY_MS, SILENCE_MAX_MS, type Step, shareDone } from './plan.ts'

/** The run ends early. */
export class RunEnd extends Error {
  readonly how: 'media_failed' | 'timed_out' | 'displaced' | 'ended'

  constructor(how: RunEnd['how']) {
    super(how)
    this.how = how
  }
}

const HOW = {
  elsewhere: 'displaced',
  closed: 'ended',
  removed: 'ended',
  dropped: 'media_failed',
} as const

/** The way in which the connection ended; null while it is up. */
export function howEnded(line: TestConnection): RunEnd['how'] | null {
  const ending = line.ending()
  return ending === null ? null : HOW[ending]
}

export function cutBy({ reason }: AbortSignal): RunEnd {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError'
  return new RunEnd(isLate ? 'timed_out' : 'displaced')
}

interface KeeperTools {
  line: TestConnection
  plan: Plan
  cut: AbortSignal
  nowMs: () => number
  wait: (ms: number) => Promise<void>
  onProgress: (step: Step, share: number) => void
}

/** Samples the connection twice a second, and notices when it is lost. */
export class SampleKeeper {
  readonly all: Sample[] = []
  readonly #tools: KeeperTools

  constructor(tools: KeeperTools) {
    this.#tools = tools
  }

  /** Samples a step for its planned time. Throws RunEnd. */
  async keep(step: Step): Promise<Sample[]> {
    const lengthMs = this.#tools.plan[step]
    return this.#keepUntil(step, (samples) => lengthOf(samples) >= lengthMs)
  }

  /** Samples a step until media has flowed for its planned time. Throws RunEnd. */
  async keepCounted(step: Step): Promise<Sample[]> {
    const lengthMs = this.#tools.plan[step]
    return this.#keepUntil(step, (samples) => countedSecOf(samples) * 1000 >= lengthMs)
  }

  async #keepUntil(step: Step, isEnough: (samples: Sample[]) => boolean): Promise<Sample[]> {
    const kept: Sample[] = []
    for (;;) {
      this.#refuseEnd()
      const stats = await this.#tools.line.stats()
      const sample = sampleOf(this.#tools.nowMs(), stats)
      kept.push(sample)
      this.all.push(sample)
      this.#tools.onProgress(step, shareDone(this.#tools.plan, step, lengthOf(kept)))
      if (silentMsOf(this.all) >= SILENCE_MAX_MS) throw new RunEnd('media_failed')
      if (isEnough(kept)) return kept
      await this.#tools.wait(SAMPLE_EVERY_MS)
    }
  }

  #refuseEnd(): void {
    const { cut, line } = this.#tools
    if (cut.aborted) throw cutBy(cut)
    const how = howEnded(line)
    if (how !== null) throw new RunEnd(how)
  }
}

function lengthOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)
}
