import path from 'node:path'
import type { CaptureEvent, TrackRole } from './capture-events.ts'
import { type LoggedPacket, readRtpLog } from './rtp-log.ts'

interface Span {
  fromMs: number
  toMs: number
}

/** In milliseconds. Packets of a standstill are read in one go after it, and lost ones are sent again. */
const MARGINS = { before: 1000, behind: 5000 }
/** A camera may send this rarely, and so may silence. */
const LOST_MIN_MS = 500
const SOUNDS: ReadonlySet<TrackRole> = new Set(['microphone', 'screen-sound'])
const UNITS_PER_MS: Record<TrackRole, number> = {
  microphone: 48,
  'screen-sound': 48,
  camera: 90,
  screen: 90,
}

/**
 * For each standstill of the capturing process during which anybody sent: the longest stretch without sound, or, if nobody sent any
 * sound, without a packet of any track; by the clock of the capture. The few packets of a camera may all be sent again, when those
 * of the voices are too many. Packets are placed by their own timestamps, because they were read late.
 */
export async function lostInStandstills(
  folder: string,
  events: readonly CaptureEvent[],
): Promise<Span[]> {
  const standstills = events.flatMap((event): Span[] =>
    event.fact === 'stood_still' ? [{ fromMs: event.sinceMs, toMs: event.atMs }] : [],
  )
  if (standstills.length === 0) return []
  const sounds: number[][] = []
  const pictures: number[][] = []
  for (const [track, role] of rolesOf(events)) {
    const file = path.join(folder, `${track}.rtp`)
    const unitsPerMs = UNITS_PER_MS[role]
    const sentMs = await timesAround(standstills, { file, unitsPerMs })
    if (SOUNDS.has(role)) sounds.push(sentMs)
    else pictures.push(sentMs)
  }
  const soundMs = sounds.flat()
  const allMs = [...soundMs, ...pictures.flat()]
  return standstills.flatMap((standstill) => {
    const judgedBy = [soundMs, allMs].find((sentMs) => isSent(sentMs, standstill))
    if (judgedBy === undefined) return []
    const lost = longestWithout(judgedBy, standstill)
    return lost.toMs - lost.fromMs >= LOST_MIN_MS ? [lost] : []
  })
}

function isSent(sentMs: readonly number[], { fromMs }: Span): boolean {
  return sentMs.some((at) => at >= fromMs - MARGINS.before && at <= fromMs + LOST_MIN_MS)
}

function rolesOf(events: readonly CaptureEvent[]): ReadonlyMap<string, TrackRole> {
  return new Map(
    events.flatMap((event) => (event.fact === 'published' ? [[event.track, event.role]] : [])),
  )
}

/** The send times of a log's packets that arrived in the standstills or around them. */
async function timesAround(
  standstills: readonly Span[],
  { file, unitsPerMs }: { file: string; unitsPerMs: number },
): Promise<number[]> {
  const streams = new Map<number, StreamTimes>()
  try {
    for await (const record of readRtpLog(file)) {
      if (record.kind !== 'packet') continue
      const stream = streams.get(record.ssrc) ?? new StreamTimes(unitsPerMs)
      streams.set(record.ssrc, stream)
      stream.take(
        record,
        standstills.some((span) => isAround(span, record.atMs)),
      )
    }
  } catch (error) {
    // The track was published, but nothing of it arrived.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return [...streams.values()].flatMap((stream) => stream.sentMs)
}

function isAround({ fromMs, toMs }: Span, atMs: number): boolean {
  return atMs >= fromMs - MARGINS.before && atMs <= toMs + MARGINS.behind
}

/** Maps timestamps to time by the packet of each stream that arrived soonest after it was sent. */
class StreamTimes {
  readonly #unitsPerMs: number
  readonly #kept: number[] = []
  #raw: number | undefined
  #mediaMs = 0
  #offsetMs = Infinity

  constructor(unitsPerMs: number) {
    this.#unitsPerMs = unitsPerMs
  }

  take({ timestamp, atMs }: LoggedPacket, isKept: boolean): void {
    const units = (timestamp - (this.#raw ?? timestamp)) | 0
    this.#raw = timestamp
    this.#mediaMs += units / this.#unitsPerMs
    this.#offsetMs = Math.min(this.#offsetMs, atMs - this.#mediaMs)
    if (isKept) this.#kept.push(this.#mediaMs)
  }

  get sentMs(): number[] {
    return this.#kept.map((mediaMs) => mediaMs + this.#offsetMs)
  }
}

function longestWithout(sentMs: readonly number[], { fromMs, toMs }: Span): Span {
  const inside = sentMs.filter((at) => at > fromMs && at < toMs).toSorted((a, b) => a - b)
  let longest = { fromMs, toMs: fromMs }
  let before = fromMs
  for (const at of [...inside, toMs]) {
    if (at - before > longest.toMs - longest.fromMs) longest = { fromMs: before, toMs: at }
    before = at
  }
  return longest
}
