/** The parts of a measured run, in their order. */
const STEPS = ['connecting', 'baseline', 'filling', 'settling', 'counting', 'tcp'] as const
export type Step = (typeof STEPS)[number]

export const SAMPLE_EVERY_MS = 500
/**
 * Settling: the queue on the way has to be empty again before anything is counted. TCP: only where it is
 * offered besides UDP.
 */
const STEP_MS = {
  connecting: 1_000,
  baseline: 3_000,
  filling: 5_500,
  settling: 1_500,
  tcp: 4_000,
}
/** More than is asked for: the service refuses less. */
const COUNTED_BESIDES_MS = 500

/** How long each part of the run lasts. */
export type Plan = Readonly<Record<Step, number>>

/** The service says how long what an interview sends is counted. */
export function planOf(countedSec: number): Plan {
  return { ...STEP_MS, counting: countedSec * 1000 + COUNTED_BESIDES_MS }
}

/** Without any media for so long, the connection is lost. */
export const SILENCE_MAX_MS = 10_000
export const RUN_MAX_MS = 90_000

/** How much of the whole run is done, 0..1, so many milliseconds into a step. */
export function shareDone(plan: Plan, step: Step, intoMs: number): number {
  const lengthOf = (steps: readonly Step[]) => steps.reduce((sum, each) => sum + plan[each], 0)
  const before = lengthOf(STEPS.slice(0, STEPS.indexOf(step)))
  return (before + Math.min(plan[step], Math.max(0, intoMs))) / lengthOf(STEPS)
}
