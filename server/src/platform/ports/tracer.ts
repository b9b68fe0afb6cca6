import { runInContext } from '../lib/trace.ts'

type SpanKind = 'server' | 'client' | 'consumer'

/** Ids, kinds, numbers and templates. Never an address, a token, a name or a text of a person. */
export type SpanAttributes = Readonly<Record<string, string | number>>

export interface NewSpan {
  name: string
  kind: SpanKind
  attributes?: SpanAttributes
}

export interface OpenSpan {
  /** W3C `traceparent` of the span, for what happens under it. */
  context: string
  /** Adds attributes. */
  describe(attributes: SpanAttributes): void
  /** With a class of few values, as a code. */
  fail(errorType: string): void
  end(): void
}

/** Spans of this process on their way to a collector. */
export interface Tracer {
  /** A span in the current trace, or the first of a new one; undefined if nothing is traced. */
  begin(span: NewSpan): OpenSpan | undefined
  /** Sends the remaining spans, for two seconds at most. Never throws. */
  close(): Promise<void>
}

export const NO_TRACER: Tracer = { begin: () => undefined, close: async () => {} }

/** Runs the work in a separate span, which also records its error. */
export async function inSpan<T>(
  tracer: Tracer,
  named: NewSpan,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = tracer.begin(named)
  if (span === undefined) return work(undefined)
  try {
    return await runInContext(span.context, () => work(span))
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}
