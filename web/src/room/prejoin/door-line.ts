export type DoorLine = 'good' | 'slow' | 'failed'

const ASKS = 4
const TIMEOUT_MS = 5_000
/** Voices begin to step on each other's feet. */
const SLOW_FROM_MS = 300

/** What a few round trips to the service say of a line; undefined stands for one that did not come back. */
export function judgeLine(roundTripsMs: readonly (number | undefined)[]): DoorLine {
  const known = roundTripsMs.filter((each) => each !== undefined).toSorted((a, b) => a - b)
  if (known.length === 0) return 'failed'
  const middle = known[Math.floor(known.length / 2)] ?? 0
  const isLossy = known.length < roundTripsMs.length
  return isLossy || middle >= SLOW_FROM_MS ? 'slow' : 'good'
}

/** Asks the service for a sign of life a few times, one after the other; takes no longer than it must. */
export async function checkLine(signal: AbortSignal): Promise<DoorLine> {
  // The first one also pays for the connection.
  await roundTripMs(signal)
  const roundTripsMs: (number | undefined)[] = []
  for (let turn = 0; turn < ASKS && !signal.aborted; turn += 1) {
    roundTripsMs.push(await roundTripMs(signal))
  }
  return judgeLine(roundTripsMs)
}

async function roundTripMs(signal: AbortSignal): Promise<number | undefined> {
  const begunMs = performance.now()
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const answer = await fetch('/health', { cache: 'no-store', signal: within })
    return answer.ok ? performance.now() - begunMs : undefined
  } catch {
    return undefined
  }
}
