import { AsyncLocalStorage } from 'node:async_hooks'

/** W3C Trace Context, version 00 and its successors; 55 characters. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

interface Trace {
  /** The caller's `traceparent`, for the log and for the webhooks that the request causes. */
  ofCaller?: string
  /** The current context: the caller's, or that of our innermost span. */
  context: string
}

const current = new AsyncLocalStorage<Trace>()

/** The header if it is a valid `traceparent`. */
export function readTraceparent(header: unknown): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined
}

/** Runs the work as a part of the caller's trace, if the header names one. */
export function runInTrace<T>(header: unknown, work: () => T): T {
  const ofCaller = readTraceparent(header)
  return ofCaller === undefined ? work() : current.run({ ofCaller, context: ofCaller }, work)
}

/** Runs the work under a span of ours, or under the context that was stored for it. */
export function runInContext<T>(context: string | null, work: () => T): T {
  return context === null ? work() : current.run({ ...current.getStore(), context }, work)
}

/** The `traceparent` of the caller that requested this work. */
export function traceparent(): string | undefined {
  return current.getStore()?.ofCaller
}

/** The current W3C trace context, to be stored with work that runs later. */
export function traceContext(): string | undefined {
  return current.getStore()?.context
}
