/**
 * Aborts with `signal`, or after this many milliseconds. `AbortSignal.any` would do the same, but is missing in
 * Safari before 17.4.
 */
export function withinTime(signal: AbortSignal, ms: number): AbortSignal {
  const ending = new AbortController()
  for (const each of [signal, AbortSignal.timeout(ms)]) {
    if (each.aborted) ending.abort(each.reason)
    else each.addEventListener('abort', () => ending.abort(each.reason), { once: true })
  }
  return ending.signal
}
