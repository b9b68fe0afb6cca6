/** A time span, in milliseconds since 1970. The end does not belong to it. */
export interface Span {
  fromMs: number
  toMs: number
}

/** A span that is in a file. */
export interface RecordedSpan extends Span {
  /** The command that ended it, if its last frame began a moment before. */
  untilMs?: number
}

/** The union, in order, without spans that touch. */
export function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (span.toMs <= span.fromMs) continue
    const last = merged.at(-1)
    if (last !== undefined && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs)
    else merged.push({ ...span })
  }
  return merged
}

/** The time that both lists of spans cover. */
export function intersection(a: readonly Span[], b: readonly Span[]): Span[] {
  const common = a.flatMap((one) =>
    b.map((other) => ({
      fromMs: Math.max(one.fromMs, other.fromMs),
      toMs: Math.min(one.toMs, other.toMs),
    })),
  )
  return union(common)
}

/** The time that the first list of spans covers and the second does not. */
export function difference(a: readonly Span[], b: readonly Span[]): Span[] {
  let rest = union(a)
  for (const { fromMs, toMs } of union(b)) {
    rest = rest.flatMap((span) =>
      union([
        { fromMs: span.fromMs, toMs: Math.min(span.toMs, fromMs) },
        { fromMs: Math.max(span.fromMs, toMs), toMs: span.toMs },
      ]),
    )
  }
  return rest
}

export function totalSec(spans: readonly Span[]): number {
  return spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000
}
