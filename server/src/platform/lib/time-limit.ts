/**
 * Runs `work` with a signal that ends it after so many milliseconds. The limit is gone with the work: one that passes behind
 * it, as `AbortSignal.timeout` does, makes an error for nobody, ten seconds after each call.
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
