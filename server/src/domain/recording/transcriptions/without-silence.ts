import type { Silence } from './plan-parts.ts'

/** A stretch of a file that is sent, and where it begins in the sound that is sent. */
export interface Sounding {
  fromSec: number
  toSec: number
  atSec: number
}

/** A shorter silence is sent: it belongs to the sentence around it. */
const SILENCE_MIN_SEC = 2
/** Kept on both sides of a cut, so that no quiet beginning or end of a word is lost. */
const PADDING_SEC = 0.5
/** A silence that ends this close to the end of the file ends with it. */
const AT_END_SEC = 0.1

/** The stretches of a file in which somebody may speak, with some silence around each. None if it is silent. */
export function soundingsOf(durationSec: number, silences: readonly Silence[]): Sounding[] {
  const endMs = msOf(durationSec)
  const soundings: Sounding[] = []
  let fromMs = 0
  let atMs = 0
  const keepUntil = (toMs: number) => {
    if (toMs <= fromMs) return
    soundings.push({ fromSec: fromMs / 1000, toSec: toMs / 1000, atSec: atMs / 1000 })
    atMs += toMs - fromMs
  }
  for (const { startSec, endSec } of silences) {
    if (endSec - startSec < SILENCE_MIN_SEC) continue
    keepUntil(startSec <= 0 ? 0 : Math.min(endMs, msOf(startSec + PADDING_SEC)))
    fromMs = endSec >= durationSec - AT_END_SEC ? endMs : msOf(endSec - PADDING_SEC)
  }
  keepUntil(endMs)
  return soundings
}

/** Length of the sound that is sent. */
export function lengthOf(soundings: readonly Sounding[]): number {
  const last = soundings.at(-1)
  return last === undefined ? 0 : endOf(last)
}

/** The silences of the file that are left in the sound that is sent. */
export function silencesIn(
  soundings: readonly Sounding[],
  silences: readonly Silence[],
): Silence[] {
  return silences
    .map(({ startSec, endSec }) => ({
      startSec: placeIn(soundings, startSec),
      endSec: placeIn(soundings, endSec),
    }))
    .filter(({ startSec, endSec }) => endSec > startSec)
}

/** The ranges of the file that make up a range of the sound that is sent. */
export function rangesOf(
  soundings: readonly Sounding[],
  { startSec, endSec }: { startSec: number; endSec: number },
): { fromSec: number; toSec: number }[] {
  return within(soundings, { startSec, endSec }).map((sounding) => {
    const { fromSec, toSec, atSec } = sounding
    return {
      fromSec: fromSec + Math.max(0, startSec - atSec),
      toSec: toSec - Math.max(0, endOf(sounding) - endSec),
    }
  })
}

/** The stretches of which something is in a range of the sound that is sent. */
export function within(
  soundings: readonly Sounding[],
  { startSec, endSec }: { startSec: number; endSec: number },
): Sounding[] {
  return soundings.filter((each) => each.atSec < endSec && endOf(each) > startSec)
}

/**
 * Puts something that was heard back to its place in the file. A word that reaches over a cut stays whole, in the stretch that has
 * more of it: it does not last as long as the silence that was cut out.
 */
export function restored<T extends { startSec: number; endSec: number }>(
  heard: T,
  soundings: readonly Sounding[],
): T {
  const [first, ...others] = soundings
  if (first === undefined) return heard
  let best = first
  for (const each of others) if (shareOf(each, heard) > shareOf(best, heard)) best = each
  const { fromSec, toSec, atSec } = best
  const placed = (sec: number) => Math.min(toSec, Math.max(fromSec, fromSec + sec - atSec))
  return { ...heard, startSec: placed(heard.startSec), endSec: placed(heard.endSec) }
}

const endOf = ({ fromSec, toSec, atSec }: Sounding) => atSec + toSec - fromSec

/** How much of it is in the stretch, in seconds. It is the negative distance if nothing is. */
function shareOf(sounding: Sounding, { startSec, endSec }: { startSec: number; endSec: number }) {
  return Math.min(endSec, endOf(sounding)) - Math.max(startSec, sounding.atSec)
}

/** The place of a moment of the file in the sound that is sent; of one that was cut out, the place of the cut. */
function placeIn(soundings: readonly Sounding[], sec: number): number {
  const sounding = soundings.find(({ toSec }) => sec <= toSec)
  if (sounding === undefined) return lengthOf(soundings)
  return sounding.atSec + Math.max(0, sec - sounding.fromSec)
}

const msOf = (sec: number) => Math.round(sec * 1000)
