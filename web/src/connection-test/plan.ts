/** The parts of a measured run, in their order. */
const STEPS = ['connecting', 'baseline', 'filling', 'settling', 'counting', 'tcp'] as const
export type Step = (typeof STEPS)[number]

export const SAMPLE_EVERY_MS = 500
/**
 * Settling: the queue on the way has to be empty again before anything is counted. TCP: only where it is
 * offered besides UDP.
 */
export const STEP_MS: Record<Step, number> = {
  connecting: 1_000,
  baseline: 3_000,
  filling: 5_500,
  settling: 1_500,
  counting: 15_500,
  tcp: 4_000,
}
/** Nothing that came through for so long, and the line is lost. */
export const SILENCE_MAX_MS = 10_000
export const RUN_MAX_MS = 90_000

const WHOLE_MS = Object.values(STEP_MS).reduce((sum, ms) => sum + ms, 0)

/** How much of the whole run is done, 0..1, so many milliseconds into a step. */
export function shareDone(step: Step, intoMs: number): number {
  const before = STEPS.slice(0, STEPS.indexOf(step)).reduce((sum, each) => sum + STEP_MS[each], 0)
  return (before + Math.min(STEP_MS[step], Math.max(0, intoMs))) / WHOLE_MS
}
