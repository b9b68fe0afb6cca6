// RFC 6464 levels are in -dBov: 0 is the loudest, 127 is silence.
const ACTIVE_LEVEL = 35
export const SILENT_LEVEL = 127
const ACTIVE_SHARE = 0.4
const STEPS = 8

/** Gathers the audio levels of one track between two measurements. */
export class LevelWindow {
  #packets = 0
  #active = 0
  #loudest = SILENT_LEVEL

  observe(level: number): void {
    this.#packets++
    if (level <= ACTIVE_LEVEL) this.#active++
    this.#loudest = Math.min(this.#loudest, level)
  }

  /** Loudness 0…1 in eighths, 0 when nobody spoke for long enough; empties the window. */
  take(): number {
    const isActive = this.#packets > 0 && this.#active / this.#packets >= ACTIVE_SHARE
    const level = isActive ? Math.ceil(10 ** (-this.#loudest / 20) * STEPS) / STEPS : 0
    this.#packets = 0
    this.#active = 0
    this.#loudest = SILENT_LEVEL
    return level
  }
}
