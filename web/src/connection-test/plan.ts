/** The parts of a measured run, in order. */
const STEPS = ['connecting', 'baseline', 'filling', 'settling', 'counting', 'tcp'] as const
export type Step = (typeof STEPS)[number]

export const SAMPLE_EVERY_MS = 500
/**
 * Settling: the queue on the path has to empty before anything is counted. TCP: only if it is offered besides UDP.
 */
const STEP_MS = {
  connecting: 1_000,
  baseline: 3_000,
  filling: 5_500,
  settling: 1_500,
  tcp: 4_000,
}
/** A margin, because the service refuses a result with less counted time than requested. */
const COUNTED_BESIDES_MS = 500

/** The length of each part of the run. */
export type Plan = Readonly<Record<Step, number>>

/** The plan of a run. The service decides how long ordinary load is counted. */
export function planOf(countedSec: number): Plan {
  return { ...STEP_MS, counting: countedSec * 1000 + COUNTED_BESIDES_MS }
}

/** The connection counts as lost after this time without any media. */
export const SILENCE_MAX_MS = 10_000
export const RUN_MAX_MS = 90_000

/** The finished share of the run, 0..1, this many milliseconds into a step. */
export function shareDone(plan: Plan, step: Step, intoMs: number): number {
  const lengthOf = (steps: readonly Step[]) => steps.reduce((sum, each) => sum + plan[each], 0)
  const before = lengthOf(STEPS.slice(0, STEPS.indexOf(step)))
  return (before + Math.min(plan[step], Math.max(0, intoMs))) / lengthOf(STEPS)
}
