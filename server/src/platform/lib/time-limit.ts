/**
 * Runs `work` with a signal that aborts it after this many milliseconds. The timer ends with the work. One that fires afterwards,
 * as `AbortSignal.timeout` does, creates an error that nobody reads, ten seconds after each call.
 */
export async function withTimeLimit<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const end = () => limit.abort(new DOMException('took too long', 'TimeoutError'))
  const timer = setTimeout(end, ms)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
