import { COUNTER_RATE, tonesOf } from '@interview-room/server/src/testing/spoken-counter.ts'

/** Numbers that a person says before the first one comes again. */
const COUNT = 50
/** From one number to the next: short enough that speech goes on. */
const EVERY_SEC = 0.6

export const SOUND_SEC = COUNT * EVERY_SEC

/** Half a minute of numbers, as samples of 16 bits: the place of the person in two digits, and a counter. */
export function numbersOf(place: number): Buffer {
  const said = Array.from({ length: COUNT }, (_, count) => {
    const sound = Buffer.alloc(2 * EVERY_SEC * COUNTER_RATE)
    tonesOf(String(place * 100 + count).padStart(4, '0')).copy(sound)
    return sound
  })
  return Buffer.concat(said)
}

/** Numbers that are missing or repeated between the first and the last of a text of one person. */
export function mistakesIn(text: string): { heard: number; wrong: number } {
  const counts = text
    .split(/\s+/)
    .filter(Boolean)
    .map((number) => Number(number) % 100)
  const wrong = counts.slice(1).filter((count, at) => count !== ((counts[at] ?? 0) + 1) % COUNT)
  return { heard: counts.length, wrong: wrong.length }
}
