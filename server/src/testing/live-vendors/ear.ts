const EAR_RATE = 16_000
/** Silence that ends an utterance. */
const ENDPOINT_SAMPLES = 0.5 * EAR_RATE

export interface HeardWord {
  text: string
  startSec: number
  endSec: number
}

/** A word of the test's language: the value of its samples, from 1. Zero is silence. */
const VOCABULARY = 'Good morning everyone today we talk about green tea and cold water'.split(' ')

/** Sound in which each word lasts so many seconds, after each other, followed by silence. */
export function speak(words: readonly string[], wordSec = 0.4, silenceSec = 0.8): Int16Array {
  const length = Math.round(wordSec * EAR_RATE)
  const sound = new Int16Array(words.length * length + Math.round(silenceSec * EAR_RATE))
  words.forEach((word, index) => {
    const value = VOCABULARY.indexOf(word) + 1
    if (value === 0) throw new RangeError(`nobody can say ${word}`)
    sound.fill(value, index * length, (index + 1) * length)
  })
  return sound
}

/** Cuts sound into the packets of a listener. */
export function packetsOf(sound: Int16Array, packetSec = 0.1): Int16Array[] {
  const size = Math.round(packetSec * EAR_RATE)
  const count = Math.ceil(sound.length / size)
  return Array.from({ length: count }, (_, at) => sound.slice(at * size, (at + 1) * size))
}

/** Hears the words of `speak` in their sound, as an engine that makes no mistakes. */
export class Ear {
  /** Words since the last endpoint. The last one may go on. */
  words: HeardWord[] = []
  samples = 0
  #value = 0
  #silence = 0

  get heardSec(): number {
    return this.samples / EAR_RATE
  }

  /** Answers whether an utterance has ended. */
  hear(pcm: Int16Array): boolean {
    let hasEnded = false
    for (const value of pcm) {
      if (value !== this.#value && value !== 0) {
        const text = VOCABULARY[value - 1] ?? '?'
        this.words.push({ text, startSec: this.heardSec, endSec: this.heardSec })
      }
      this.#value = value
      this.#silence = value === 0 ? this.#silence + 1 : 0
      this.samples += 1
      const last = this.words.at(-1)
      if (value !== 0 && last !== undefined) last.endSec = this.heardSec
      if (this.#silence === ENDPOINT_SAMPLES && last !== undefined) hasEnded = true
    }
    return hasEnded
  }

  /** Takes the words of an utterance that ends. */
  take(): HeardWord[] {
    return this.words.splice(0)
  }
}
