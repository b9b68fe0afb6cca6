/** The longest digital silence of a microphone that works, before it is reported: in the lobby, and in the room. */
export const LOBBY_SILENCE_MAX_MS = 4_000
export const ROOM_SILENCE_MAX_MS = 10_000

/** When the digital silence began; null after any sound, however quiet. */
export interface SilenceWatch {
  sinceMs: number | null
}

export const SOUNDING: SilenceWatch = { sinceMs: null }

/**
 * The state after one more measurement. A quiet room has noise: only a level of exactly 0 is silence. Without a level,
 * nothing was measured, and nothing is known.
 */
export function afterLevel(
  { sinceMs }: SilenceWatch,
  level: number | undefined,
  atMs: number,
): SilenceWatch {
  return level === 0 ? { sinceMs: sinceMs ?? atMs } : SOUNDING
}

/** True if the microphone sends no sound. */
export function isSilent({ sinceMs }: SilenceWatch, maxMs: number, atMs: number): boolean {
  return sinceMs !== null && atMs - sinceMs >= maxMs
}
