import { AsyncLocalStorage } from 'node:async_hooks'

/** W3C Trace Context, version 00 and its successors; 55 characters. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

interface Trace {
  /** What the caller sent: for the log and for the webhooks that the request causes. */
  ofCaller?: string
  /** What is under way: the caller's, or the innermost span of ours. */
  context: string
}

const current = new AsyncLocalStorage<Trace>()

/** The header where it is a valid `traceparent`. */
export function readTraceparent(header: unknown): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined
}

/** Runs the work as a part of the caller's trace, where the header names one. */
export function runInTrace<T>(header: unknown, work: () => T): T {
  const ofCaller = readTraceparent(header)
  return ofCaller === undefined ? work() : current.run({ ofCaller, context: ofCaller }, work)
}

/** Runs the work under a span of ours, or under the context that was stored for it. */
export function runInContext<T>(context: string | null, work: () => T): T {
  return context === null ? work() : current.run({ ...current.getStore(), context }, work)
}

/** The `traceparent` of the caller that this work was asked for under. */
export function traceparent(): string | undefined {
  return current.getStore()?.ofCaller
}

/** The W3C trace context of this work, to be stored with what runs later. */
export function traceContext(): string | undefined {
  return current.getStore()?.context
}
