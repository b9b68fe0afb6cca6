export type Clock = () => number

/** Milliseconds since 1970 that only go forward, at an even pace, whatever is done to the system's clock. */
export function createSteadyClock(): Clock {
  const offsetMs = Date.now() - performance.now()
  return () => performance.now() + offsetMs
}
