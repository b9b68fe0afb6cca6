/**
 * Milliseconds since 1970 that only go forward, whatever is done to the system's clock: durations are measured with
 * it. It may differ from that clock, which stays right for what others read: tokens, events, times of files.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now()
}
