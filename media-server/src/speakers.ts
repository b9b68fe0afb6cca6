import { SpeakerInfo } from '@livekit/protocol'

export const SPEAKER_INTERVAL_MS = 400

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

/** The speakers whose level changed since the last report; those who fell silent are reported as inactive. */
export function changedSpeakers(
  received: ReadonlyMap<string, number>,
  measured: ReadonlyMap<string, number>,
): SpeakerInfo[] {
  const sids = new Set([...received.keys(), ...measured.keys()])
  return [...sids].flatMap((sid) => {
    const level = measured.get(sid) ?? 0
    if (level === (received.get(sid) ?? 0)) return []
    return [speakerOf(sid, level)]
  })
}

export function speakerOf(sid: string, level: number): SpeakerInfo {
  return new SpeakerInfo({ sid, level, active: level > 0 })
}
