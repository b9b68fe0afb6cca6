/** The step of `tickMs` that a clock is in at `nowMs`, in whole steps since 1970. */
export function tickOf(nowMs: number, tickMs: number): { beganAtMs: number; endsInMs: number } {
  const beganAtMs = Math.floor(nowMs / tickMs) * tickMs
  return { beganAtMs, endsInMs: beganAtMs + tickMs - nowMs }
}
