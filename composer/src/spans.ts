/** A time from one moment to another. */
export interface Span {
  fromMs: number
  toMs: number
}

/** In order, without overlaps; touching spans are joined. */
export function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1)
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else if (fromMs < toMs) joined.push({ fromMs, toMs })
  }
  return joined
}

/** The parts of the spans that are in none of the others. */
export function difference(spans: readonly Span[], others: readonly Span[]): Span[] {
  const holes = union(others)
  return spans.flatMap(({ fromMs, toMs }) => {
    const left: Span[] = []
    let sinceMs = fromMs
    for (const hole of holes) {
      if (hole.toMs <= sinceMs || hole.fromMs >= toMs) continue
      if (hole.fromMs > sinceMs) left.push({ fromMs: sinceMs, toMs: hole.fromMs })
      sinceMs = hole.toMs
    }
    return sinceMs < toMs ? [...left, { fromMs: sinceMs, toMs }] : left
  })
}

/** True if a span has a moment in common with any of the others, ends included. */
export function overlaps({ fromMs, toMs }: Span, others: readonly Span[]): boolean {
  return others.some((other) => other.fromMs <= toMs && other.toMs >= fromMs)
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
