/** A capture that a recorder has not brought to the storage as a whole. Times are in ISO 8601. */
interface RecorderDelivery {
  egressId: string
  undeliveredSec: number
  lastDeliveredAt: string | null
  lastRefusedAt: string | null
  refusal: string | null
}

/** The answer of `/health` of our own recorder. Those before 0.6 name neither themselves nor their deliveries. */
export interface RecorderHealth {
  /** Id of the process. */
  instance?: string
  problems: readonly string[]
  /** Recordings that run, and the most that may. */
  recording?: number
  recordingMax?: number
  /** Seconds that only the recorder's machine has, of the recording that is furthest behind. */
  undeliveredSec: number
  deliveries: readonly RecorderDelivery[]
  /** Its clock when it answered; undefined without a `Date` header. */
  date: Date | undefined
  /** False with status 5xx: it cannot record. */
  isAble: boolean
}

/** Asks a recorder. Undefined if the address is another server's. Throws if it does not answer in time. */
export async function readRecorderHealth(
  url: string,
  timeoutMs: number,
): Promise<RecorderHealth | undefined> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) })
  const date = answer.headers.get('date')
  const body = (await answer.json().catch(() => undefined)) as Partial<RecorderHealth> | undefined
  const isAble = answer.status < 500
  if (!Array.isArray(body?.problems) && isAble) return undefined
  return {
    problems: [],
    undeliveredSec: 0,
    deliveries: [],
    ...body,
    date: date === null ? undefined : new Date(date),
    isAble,
  }
}
