export interface Failure<T> {
  item: T
  error: unknown
}

/** Runs `work` for each item in turn, whether earlier ones failed or not. Returns the failures. */
export async function eachAlone<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<Failure<T>[]> {
  const failed: Failure<T>[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failed.push({ item, error })
    }
  }
  return failed
}

/** The same, and throws what the first one failed with. */
export async function eachOrThrow<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const [first] = await eachAlone(items, work)
  if (first !== undefined) throw first.error
}
