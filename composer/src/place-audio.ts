import { AUDIO_RATE } from './opus.ts'
import type { AudioUnit } from './track-media.ts'

/** The place of a packet's samples: their first sample in the recording, and their number. */
export interface PlacedAudio {
  unit: AudioUnit
  start: number
  length: number
}

// A clock that drifts is corrected by a few samples in a packet, which nobody hears.
const STRETCH_MAX = 4
// Beyond this error the audio was interrupted, and is placed again by its own time.
const JUMP_SAMPLES = (AUDIO_RATE * 40) / 1000

/**
 * Places packets one after another while that matches their time, stretching them a little to follow the clocks. After a pause they
 * are placed by their time.
 */
export function* placeAudio(units: Iterable<AudioUnit>, startMs: number): Generator<PlacedAudio> {
  let end: number | undefined
  for (const unit of units) {
    const due = Math.round(((unit.timeMs - startMs) * AUDIO_RATE) / 1000)
    const error = end === undefined ? Infinity : due - end
    const isJump = Math.abs(error) > JUMP_SAMPLES
    const start: number = isJump || end === undefined ? due : end
    const stretch = isJump ? 0 : Math.max(-STRETCH_MAX, Math.min(STRETCH_MAX, error))
    const length = unit.samples + stretch
    // Drops a packet that jumped back, because it would overlap the audio before it.
    if (end !== undefined && start < end) continue
    yield { unit, start, length }
    end = start + length
  }
}
