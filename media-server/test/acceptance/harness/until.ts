const POLL_MS = 50

/** A fact may take this long on a busy machine; the usual time is well under a second. */
const WAIT_TIMEOUT_MS = 60_000

export interface CaptureEvent<T> {
  /** The awaited fact, as it should read in a failure. */
  fact: string
  read: () => Promise<T> | T
  holds: (value: T) => boolean
  timeoutMs?: number
}

/** Reads again and again until the value holds; the failure shows the last value. */
export async function until<T>({ fact, read, holds, timeoutMs }: CaptureEvent<T>): Promise<T> {
  const limitMs = timeoutMs ?? WAIT_TIMEOUT_MS
  const deadline = performance.now() + limitMs
  let value = await read()
  while (!holds(value)) {
    if (performance.now() > deadline) {
      throw new Error(`not seen in ${limitMs} ms: ${fact}; last: ${JSON.stringify(value)}`)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
    value = await read()
  }
  return value
}

/** Waits until so much time has been recorded. */
export async function recordedFor(beginMs: number, sec: number): Promise<void> {
  await until({
    fact: `${sec} s are recorded`,
    read: () => Date.now(),
    holds: (now) => now - beginMs >= sec * 1000,
  })
}
