/** The value below which this share (0 to 1) of the numbers lies. Throws if there are no numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new Error('nothing was measured')
  return below + (above - below) * (place - Math.floor(place))
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** Rounds to significant digits, so that a figure does not suggest more precision than it has. */
export function round(value: number, digits = 3): number {
  return Number(value.toPrecision(digits))
}

/** A row of a table, with its numbers rounded to two decimals. */
export function roundedRow(row: object): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'number' ? round(value, 2) : value,
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}
