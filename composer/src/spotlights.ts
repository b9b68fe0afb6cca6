import { type Span, splitSpans } from './spans.ts'

/** A person whom everybody saw large from one moment to another, by the clock of the capture. */
export interface Spotlight extends Span {
  /** The person's identity, which is the same on every connection. */
  identity: string
}

/** Splits spans when the spotlight changes, and adds the person in it. */
export function withSpotlight<S extends Span>(
  spans: readonly S[],
  spotlights: readonly Spotlight[],
): (S & { spotlight: string | undefined })[] {
  const changes = spotlights.flatMap(({ fromMs, toMs }) => [fromMs, toMs])
  return splitSpans(spans, changes).map((span) => ({
    ...span,
    spotlight: spotlights.find(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs > span.fromMs)
      ?.identity,
  }))
}
