/** What `work` answers, or undefined when it fails or takes longer than this. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, timeoutMs, undefined)
  try {
    return await Promise.race([work.catch(() => undefined), timeout])
  } finally {
    clearTimeout(timer)
  }
}
