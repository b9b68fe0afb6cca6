/** Loudness (root mean square, 0..1) above which a person counts as speaking. */
export const SPEECH_LEVEL = 0.03
/** Shorter sounds, such as a cough, are not speech. */
const SPEECH_MIN_MS = 600
/** Shorter pauses between words do not end speech. */
const PAUSE_MAX_MS = 400
/** How long the hint stays after the last word. */
const HINT_STAYS_MS = 4_000

export interface SpeechWatch {
  startedAtMs: number | null
  lastLoudAtMs: number | null
  isHintShown: boolean
}

export const SILENT: SpeechWatch = { startedAtMs: null, lastLoudAtMs: null, isHintShown: false }

/** The state after one more measurement of a muted microphone. */
export function heard(watch: SpeechWatch, level: number, atMs: number): SpeechWatch {
  const sinceLoudMs = watch.lastLoudAtMs === null ? Infinity : atMs - watch.lastLoudAtMs
  if (level < SPEECH_LEVEL) {
    return {
      ...watch,
      startedAtMs: sinceLoudMs > PAUSE_MAX_MS ? null : watch.startedAtMs,
      isHintShown: watch.isHintShown && sinceLoudMs < HINT_STAYS_MS,
    }
  }
  const startedAtMs = sinceLoudMs > PAUSE_MAX_MS ? atMs : (watch.startedAtMs ?? atMs)
  const isSpeech = atMs - startedAtMs >= SPEECH_MIN_MS
  return { startedAtMs, lastLoudAtMs: atMs, isHintShown: watch.isHintShown || isSpeech }
}
