/** A time from one moment to another. */
export interface Span {
  fromMs: number
  toMs: number
}

/** Splits spans at these moments; those outside of a span do not matter. */
export function splitSpans<S extends Span>(spans: readonly S[], moments: readonly number[]): S[] {
  return spans.flatMap((span) => {
    const inside = moments.filter((ms) => ms > span.fromMs && ms < span.toMs)
    const bounds = [...new Set([span.fromMs, ...inside, span.toMs])].toSorted((a, b) => a - b)
    return bounds
      .slice(0, -1)
      .map((fromMs, i) => ({ ...span, fromMs, toMs: bounds[i + 1] ?? span.toMs }))
  })
}
