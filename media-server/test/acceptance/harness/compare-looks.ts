import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedMessage } from './signal-messages.ts'

/** The messages of each kind in one span of time: their number, and how long the first one took to come. */
type Look = ReadonlyMap<string, { count: number; firstAfterMs: number }>

interface Looking {
  received: readonly ReceivedMessage[]
  times: number
  lookMs: number
  /** Begins with each look. Returns what to do after it. */
  during: () => Promise<() => Promise<unknown>>
}

/** Nothing of the server repeats more slowly, apart from new tokens. */
const LONGEST_PERIOD_MS = 5000

/** Looks several times. The looks begin at random, because much of what a server sends comes at fixed intervals. */
export async function lookAt({ received, times, lookMs, during }: Looking): Promise<Look[]> {
  const looks: Look[] = []
  for (let time = 0; time < times; time += 1) {
    await sleep(Math.random() * LONGEST_PERIOD_MS)
    const beganAtMs = performance.now()
    const [finish] = await Promise.all([during(), sleep(lookMs)])
    const seen = received.filter(({ atMs }) => atMs >= beganAtMs && atMs < beganAtMs + lookMs)
    await finish()
    looks.push(
      new Map(
        [...Map.groupBy(seen, ({ kind }) => kind)].map(([kind, [first, ...others]]) => [
          kind,
          { count: 1 + others.length, firstAfterMs: (first?.atMs ?? 0) - beganAtMs },
        ]),
      ),
    )
  }
  return looks
}

/** A difference as large as this comes by chance once in a thousand comparisons. */
const CHANCE_MAX = 0.001

/** The kinds of messages that come in other numbers, or at other times, in one half of as many looks as in the other. */
export function differencesOf(some: readonly Look[], others: readonly Look[]): string[] {
  const kinds = new Set([...some, ...others].flatMap((look) => [...look.keys()]))
  return [...kinds].flatMap((kind) =>
    (
      [
        ['number', (look: Look) => look.get(kind)?.count ?? 0],
        ['time', (look: Look) => look.get(kind)?.firstAfterMs ?? Infinity],
      ] as const
    ).flatMap(([what, valueOf]) => {
      const [left, right] = [some.map(valueOf), others.map(valueOf)]
      if (chanceOf(left, right) > CHANCE_MAX) return []
      return `${what} of ${kind}: ${left.join(' ')} against ${right.join(' ')}`
    }),
  )
}

/** The chance that two samples of one distribution differ as much: the test of Kolmogorov and Smirnov, for equal sizes. */
export function chanceOf(some: readonly number[], others: readonly number[]): number {
  const size = some.length
  const distance = Math.max(
    ...[...some, ...others].map((limit) => {
      const shareOf = (values: readonly number[]) => values.filter((each) => each <= limit).length
      return Math.abs(shareOf(some) - shareOf(others))
    }),
  )
  if (distance === 0) return 1
  // Paths of a random walk that reach the distance, against all of them.
  let chance = 2
  for (let step = 0; step < distance; step += 1) {
    chance *= (size - step) / (size + distance - step)
  }
  return Math.min(1, chance)
}
