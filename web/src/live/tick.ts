/** The step of length `tickMs` that contains `nowMs`. Steps count from 1970. */
export function tickOf(nowMs: number, tickMs: number): { beganAtMs: number; endsInMs: number } {
  const beganAtMs = Math.floor(nowMs / tickMs) * tickMs
  return { beganAtMs, endsInMs: beganAtMs + tickMs - nowMs }
}
