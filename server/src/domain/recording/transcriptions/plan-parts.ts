/** A range of an audio that is sent separately, in seconds of that audio. */
export interface Stretch {
  /** The sent range, including the overlaps. */
  startSec: number
  endSec: number
  /** Its words count from about this time on. Earlier words come from the previous range. */
  seamSec: number
}

export interface Silence {
  startSec: number
  endSec: number
}

/** Enough for a word or two on both sides of a seam. */
const OVERLAP_SEC = 6
/** The seam is placed in the last part of a range. */
const SEARCH_SHARE = 0.3

/** Divides an audio so that no part is longer than `maxSec`, at silences if possible. */
export function planParts(
  durationSec: number,
  { maxSec, silences }: { maxSec: number; silences: readonly Silence[] },
): Stretch[] {
  if (durationSec <= maxSec) return [{ startSec: 0, endSec: durationSec, seamSec: 0 }]
  const overlapSec = Math.min(OVERLAP_SEC, maxSec / 10)
  const coreSec = maxSec - 2 * overlapSec
  const seams = [0]
  for (let from = 0; durationSec - from > coreSec; from = seams.at(-1) ?? durationSec) {
    seams.push(seamBetween(silences, from + coreSec * (1 - SEARCH_SHARE), from + coreSec))
  }
  return seams.map((seamSec, index) => ({
    seamSec,
    startSec: Math.max(0, seamSec - (index === 0 ? 0 : overlapSec)),
    endSec: Math.min(durationSec, (seams[index + 1] ?? durationSec) + overlapSec),
  }))
}

/** The middle of the longest silence in the range. Returns the latest moment without one. */
function seamBetween(silences: readonly Silence[], from: number, to: number): number {
  let best = { middle: to, length: 0 }
  for (const { startSec, endSec } of silences) {
    const middle = (startSec + endSec) / 2
    const length = endSec - startSec
    if (middle >= from && middle <= to && length > best.length) best = { middle, length }
  }
  return best.middle
}
