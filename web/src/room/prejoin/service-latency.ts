import { sendRequest } from '../../live/send-request.ts'

export type ServiceLatency = 'good' | 'slow' | 'failed'

const ASKS = 4
const TIMEOUT_MS = 5_000
/** From this latency on, people start to talk over each other. */
const SLOW_FROM_MS = 300

/** Rates the connection by a few round trips. Undefined stands for a request without an answer. */
export function judgeLatency(roundTripsMs: readonly (number | undefined)[]): ServiceLatency {
  const known = roundTripsMs.filter((each) => each !== undefined).toSorted((a, b) => a - b)
  if (known.length === 0) return 'failed'
  const middle = known[Math.floor(known.length / 2)] ?? 0
  const isLossy = known.length < roundTripsMs.length
  return isLossy || middle >= SLOW_FROM_MS ? 'slow' : 'good'
}

/** Requests the health of the service a few times, one after the other. */
export async function measureLatency(signal: AbortSignal): Promise<ServiceLatency> {
  // The first request also includes the connection setup.
  await roundTripMs(signal)
  const roundTripsMs: (number | undefined)[] = []
  for (let turn = 0; turn < ASKS && !signal.aborted; turn += 1) {
    roundTripsMs.push(await roundTripMs(signal))
  }
  return judgeLatency(roundTripsMs)
}

async function roundTripMs(signal: AbortSignal): Promise<number | undefined> {
  const begunMs = performance.now()
  try {
    const answer = await sendRequest('/health', { signal, timeoutMs: TIMEOUT_MS })
    return answer.ok ? performance.now() - begunMs : undefined
  } catch {
    return undefined
  }
}
