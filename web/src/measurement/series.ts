/** One value at one moment. */
export interface Point {
  atMs: number
  value: number
}

/** The known values of a series of samples. */
export function pointsOf<T extends { atMs: number }>(
  samples: readonly T[],
  valueOf: (sample: T) => number | null | undefined,
): Point[] {
  return samples.flatMap((sample) => {
    const value = valueOf(sample)
    return value === null || value === undefined ? [] : [{ atMs: sample.atMs, value }]
  })
}

/**
 * The growth of a counter. If the counter falls, the browser has restarted or corrected it. Nothing is added then,
 * because the values in between are unknown. Null with fewer than two values.
 */
export function growthOf(points: readonly Point[]): number | null {
  if (points.length < 2) return null
  return steps(points).reduce((sum, { by }) => sum + Math.max(0, by), 0)
}

/** The growth of a counter per second, between its first and its last value. */
export function growthPerSec(points: readonly Point[]): number | null {
  const growth = growthOf(points)
  const lengthMs = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  return growth === null || lengthMs <= 0 ? null : (1000 * growth) / lengthMs
}

export function averageOf(points: readonly Point[]): number | null {
  if (points.length === 0) return null
  return points.reduce((sum, { value }) => sum + value, 0) / points.length
}

export function highestOf(points: readonly Point[]): number | null {
  return points.length === 0 ? null : Math.max(...points.map(({ value }) => value))
}

function steps(points: readonly Point[]): { by: number }[] {
  return points.slice(1).map((point, index) => ({ by: point.value - (points[index]?.value ?? 0) }))
}
