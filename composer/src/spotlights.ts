import { type Span, splitSpans } from './split-spans.ts'

/** Somebody whom everybody saw large from one moment to another, by the clock of the capture. */
export interface Spotlight extends Span {
  /** Of the person, whichever connection they have. */
  identity: string
}

/** Splits spans where the spotlight changes, and says whom it is on. */
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
