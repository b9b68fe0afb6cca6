/** Samples a second of the sound that engines take. */
export const SAMPLE_RATE = 16_000

/** Louder than the noise that a browser's noise suppression leaves, quieter than a low voice: about -42 dB. */
const LOUD = 260
/** A click is shorter. */
const ONSET = 0.04 * SAMPLE_RATE
/** Sound from before the onset, so that no first consonant is cut off. */
const BEFORE = 0.3 * SAMPLE_RATE
/** Silence after the last loud sound that still passes: engines end an utterance by it. */
const HANGOVER = 0.8 * SAMPLE_RATE

/** Lets speech of one person pass, and not the silence between. */
export class SpeechGate {
  #before: Int16Array[] = []
  /** Samples of the loud sound that may become speech, or of the silence that may end it. */
  #run = 0
  #isOpen = false

  /** Speech has begun and not ended. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The sound that passes now, in order. */
  push(pcm: Int16Array): Int16Array[] {
    const isLoud = loudnessOf(pcm) > LOUD
    if (this.#isOpen) {
      this.#run = isLoud ? 0 : this.#run + pcm.length
      if (this.#run >= HANGOVER) this.#close()
      return [pcm]
    }
    this.#before.push(pcm)
    this.#run = isLoud ? this.#run + pcm.length : 0
    if (this.#run < ONSET) {
      this.#forgetOld()
      return []
    }
    const passing = this.#before
    this.#before = []
    this.#run = 0
    this.#isOpen = true
    return passing
  }

  /** Ends speech of which nothing more comes, as after muting; returns the silence that is missing. */
  end(): Int16Array {
    const missing = this.#isOpen ? Math.max(0, HANGOVER - this.#run) : 0
    this.#close()
    return new Int16Array(missing)
  }

  #close(): void {
    this.#isOpen = false
    this.#run = 0
    this.#before = []
  }

  #forgetOld(): void {
    let kept = this.#before.reduce((sum, { length }) => sum + length, 0)
    while (kept > BEFORE) kept -= this.#before.shift()?.length ?? kept
  }
}

/** The root of the mean square. */
function loudnessOf(pcm: Int16Array): number {
  let sum = 0
  for (const sample of pcm) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, pcm.length))
}
