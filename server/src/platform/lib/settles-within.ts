/** Waits for `work` to settle, at most this long. Returns its outcome, or undefined if it takes longer. */
export async function outcomeWithin<T>(
  work: Promise<T>,
  timeoutMs: number,
): Promise<PromiseSettledResult<T> | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, timeoutMs, undefined)
  try {
    const [outcome] = await Promise.race([Promise.allSettled([work]), timeout.then(() => [])])
    return outcome
  } finally {
    clearTimeout(timer)
  }
}

/** True if `work` settles in time. Its outcome is left to the caller that started it. */
export async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return (await outcomeWithin(work, timeoutMs)) !== undefined
}

/** The result of `work`, or undefined if it fails or takes longer than this. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const outcome = await outcomeWithin(work, timeoutMs)
  return outcome?.status === 'fulfilled' ? outcome.value : undefined
}
