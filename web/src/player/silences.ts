export interface Span {
  startSec: number
  endSec: number
}

/** Shorter breaks belong to the conversation. */
const SILENCE_MIN_SEC = 2
/** Kept before somebody speaks, so that no first sound is cut. */
const LEAD_SEC = 0.4

/** The stretches in which nobody speaks, from one voice to the next, and to the end. */
export function silencesOf(speech: readonly Span[], durationSec: number): Span[] {
  const silences: Span[] = []
  let quietSec = 0
  const voices = speech.toSorted((one, other) => one.startSec - other.startSec)
  for (const { startSec, endSec } of [...voices, { startSec: durationSec, endSec: durationSec }]) {
    if (startSec - quietSec > SILENCE_MIN_SEC)
      silences.push({ startSec: quietSec, endSec: startSec - LEAD_SEC })
    quietSec = Math.max(quietSec, endSec)
  }
  return silences
}

/** The silence at this position, if some of it is left to be skipped. */
export function silenceAt(silences: readonly Span[], sec: number): Span | undefined {
  return silences.find(
    ({ startSec, endSec }) => sec > startSec + LEAD_SEC && sec < endSec - LEAD_SEC,
  )
}
