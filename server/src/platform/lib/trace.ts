import { AsyncLocalStorage } from 'node:async_hooks'

/** W3C Trace Context, version 00 and its successors. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

const current = new AsyncLocalStorage<string>()

/** Runs the work as a part of the caller's trace, where the header names one. */
export function runInTrace<T>(header: unknown, work: () => T): T {
  if (typeof header !== 'string' || !TRACEPARENT.test(header)) return work()
  return current.run(header, work)
}

/** The `traceparent` that this work was asked for under. */
export function traceparent(): string | undefined {
  return current.getStore()
}
