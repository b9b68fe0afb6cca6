import { type ClockReading, OffsetCurve, PaceLine } from './clock-map.ts'
import { epochStarts } from './epochs.ts'
import type { StreamReport } from './read-streams.ts'

/** The stream, the media timestamp and the arrival that place a packet or frame in time. */
export interface MediaTime {
  stream: number
  timestamp: number
  atMs: number
}

export interface TimedTrack {
  items: readonly MediaTime[]
  reports: readonly (readonly StreamReport[])[]
  unitsPerMs: number
}

// A sender whose reports contradict the arrivals by more than this is not trusted.
const PLAUSIBLE_LAG_MS = { min: -300, max: 2000 }

const REPORT_APART_MS = 1000

// Reports have a precision of one millisecond. Clocks drift little between two of them.
const PAUSE_MIN_MS = 250

/** The relation of a sender's clock to ours, from the reports of all its tracks. */
export function senderClock(tracks: readonly Pick<TimedTrack, 'reports'>[]): OffsetCurve {
  return new OffsetCurve(
    tracks.flatMap(({ reports }) =>
      reports.flat().map(({ senderMs, atMs }) => ({ from: senderMs, to: atMs })),
    ),
  )
}

interface Epoch {
  items: readonly MediaTime[]
  /** Undefined if no report tells. */
  times: readonly number[] | undefined
}

/**
 * The time of each item by our clock: from the sender's reports, which keep a person's audio and video together, or without reports
 * from the earliest arrivals. A stretch without its own report is assumed to be as late as the stretch before or after it.
 * Otherwise audio and video would drift apart there.
 */
export function captureTimes(track: TimedTrack, sender: OffsetCurve): number[] {
  const epochs = epochsOf(track, sender)
  return epochs.flatMap(({ items, times }, i) => {
    if (times !== undefined) return times
    const near = epochs.slice(0, i).findLast(isReported) ?? epochs.slice(i + 1).find(isReported)
    const lagMs = near === undefined ? 0 : lowestLagMs(near)
    return byArrival(items, track.unitsPerMs).map((time) => time - lagMs)
  })
}

function isReported({ times }: Epoch): boolean {
  return times !== undefined
}

function lowestLagMs({ items, times = [] }: Epoch): number {
  return items.reduce((lowest, { atMs }, i) => Math.min(lowest, atMs - (times[i] ?? 0)), Infinity)
}

function epochsOf(track: TimedTrack, sender: OffsetCurve): Epoch[] {
  const epochs: Epoch[] = []
  for (const { items, stream } of byStream(track.items)) {
    const base = items[0]?.timestamp ?? 0
    const arrivals = items.map(({ timestamp, atMs }) => ({
      timestampMs: (timestamp - base) / track.unitsPerMs,
      atMs,
    }))
    const streamReports = track.reports[stream] ?? []
    const starts = epochStarts(arrivals).filter((start, i) => {
      const { timestamp } = items[start] as MediaTime
      return i === 0 || !goesOn(timestamp, streamReports, track.unitsPerMs)
    })
    starts.forEach((start, i) => {
      const epoch = items.slice(start, starts[i + 1])
      const reports = reportsOf(epoch, streamReports, track.unitsPerMs)
      const times = reported(epoch, { reports, unitsPerMs: track.unitsPerMs, sender })
      epochs.push({ items: epoch, times })
    })
  }
  return epochs
}

/**
 * True if the reports before and after show that the timestamps followed the sender's clock all the time: then the source did not
 * pause, but we read its packets late.
 */
function goesOn(timestamp: number, reports: readonly StreamReport[], unitsPerMs: number): boolean {
  const sorted = reports.toSorted((a, b) => a.timestamp - b.timestamp)
  const before = sorted.findLast((report) => report.timestamp < timestamp)
  const after = sorted.find((report) => report.timestamp >= timestamp)
  if (before === undefined || after === undefined) return false
  const pausedMs =
    after.senderMs - before.senderMs - (after.timestamp - before.timestamp) / unitsPerMs
  return Math.abs(pausedMs) < PAUSE_MIN_MS
}

/** The reports made in this stretch: they are as late as the packets next to them. */
function reportsOf(
  epoch: readonly MediaTime[],
  reports: readonly StreamReport[],
  unitsPerMs: number,
): StreamReport[] {
  let next = 0
  return reports
    .toSorted((a, b) => a.timestamp - b.timestamp)
    .filter((report) => {
      while ((epoch[next + 1]?.timestamp ?? Infinity) <= report.timestamp) next++
      const near = epoch[next]
      if (near === undefined) return false
      const apartMs = (report.timestamp - near.timestamp) / unitsPerMs
      const laterMs = report.atMs - near.atMs - apartMs
      return Math.abs(laterMs) < REPORT_APART_MS
    })
}

function reported(
  epoch: readonly MediaTime[],
  {
    reports,
    unitsPerMs,
    sender,
  }: { reports: readonly StreamReport[]; unitsPerMs: number; sender: OffsetCurve },
): number[] | undefined {
  const line = new PaceLine(
    reports.map(({ timestamp, senderMs }) => ({ from: timestamp, to: senderMs })),
    unitsPerMs,
  )
  const times: number[] = []
  for (const { timestamp } of epoch) {
    const senderMs = line.at(timestamp)
    const ourMs = senderMs === undefined ? undefined : sender.ourMs(senderMs)
    if (ourMs === undefined) return undefined
    times.push(ourMs)
  }
  const lags = epoch.map(({ atMs }, i) => atMs - (times[i] ?? 0)).toSorted((a, b) => a - b)
  const lag = lags[Math.floor(lags.length / 2)] ?? 0
  const isPlausible = lag > PLAUSIBLE_LAG_MS.min && lag < PLAUSIBLE_LAG_MS.max
  return isPlausible ? times : undefined
}

function byArrival(epoch: readonly MediaTime[], unitsPerMs: number): number[] {
  const base = epoch[0]?.timestamp ?? 0
  const readings: ClockReading[] = epoch.map(({ timestamp, atMs }) => ({
    from: (timestamp - base) / unitsPerMs,
    to: atMs,
  }))
  const curve = new OffsetCurve(readings)
  return readings.map(({ from, to }) => curve.ourMs(from) ?? to)
}

function byStream(items: readonly MediaTime[]): { stream: number; items: MediaTime[] }[] {
  const groups: { stream: number; items: MediaTime[] }[] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last?.stream === item.stream) last.items.push(item)
    else groups.push({ stream: item.stream, items: [item] })
  }
  return groups
}
