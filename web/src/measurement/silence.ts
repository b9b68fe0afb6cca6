import type { Sample } from './sample.ts'

/** A longer gap between two samples does not count as measured, because the machine was asleep. */
const LOOK_APART_MAX_MS = 3_000

/** The silence at the last sample. The voice is sent without pauses, so missing packets mean silence. */
export function silentMsOf(samples: readonly Sample[]): number {
  const last = samples.at(-1)
  if (last === undefined) return 0
  const heard = samples.findLastIndex((sample, index) => hasGrown(samples[index - 1], sample))
  return last.atMs - (samples[heard]?.atMs ?? samples[0]?.atMs ?? last.atMs)
}

/** The time in which media flowed, from one sample to the next. */
export function countedSecOf(samples: readonly Sample[]): number {
  let countedMs = 0
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1]
    if (before === undefined || !hasGrown(before, sample)) continue
    const apartMs = sample.atMs - before.atMs
    if (apartMs <= LOOK_APART_MAX_MS) countedMs += apartMs
  }
  return countedMs / 1000
}

function hasGrown(before: Sample | undefined, after: Sample): boolean {
  const now = after.downAudio?.packets ?? 0
  const then = before?.downAudio?.packets ?? 0
  // A smaller count means that the browser restarted the counter, because packets arrived.
  return before !== undefined && now !== then && now > 0
}
