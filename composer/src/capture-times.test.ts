import { describe, expect, test } from 'vitest'
import { captureTimes, type MediaTime, senderClock, type TimedTrack } from './capture-times.ts'
import { placeAudio } from './place-audio.ts'

const MINUTE_MS = 60_000

/** A sender with a wall clock of its own, and media clocks that run at a pace of their own. */
interface Sender {
  offsetMs: number
  clockPpm: number
  mediaPpm: number
  unitsPerMs: number
  everyMs: number
  reportEveryMs: number | undefined
}

const EASY: Sender = {
  offsetMs: 0,
  clockPpm: 0,
  mediaPpm: 0,
  unitsPerMs: 48,
  everyMs: 20,
  reportEveryMs: 3000,
}

// Always the same, and uneven enough for a network with jitter.
function jitterMs(i: number): number {
  return (
    8 +
    35 *
      Math.abs(
        Math.sin(i * 12.9898) * 43_758.5453 - Math.floor(Math.sin(i * 12.9898) * 43_758.5453),
      )
  )
}

function record(minutes: number, change: Partial<Sender>): TimedTrack & { truthMs: number[] } {
  const sender = { ...EASY, ...change }
  const truthMs: number[] = []
  const items: MediaTime[] = []
  const reports = []
  for (let ms = 0; ms < minutes * MINUTE_MS; ms += sender.everyMs) {
    const timestamp = 1_000_000 + ms * sender.unitsPerMs * (1 + sender.mediaPpm / 1e6)
    const i = items.length
    truthMs.push(ms)
    items.push({ stream: 0, timestamp, atMs: ms + jitterMs(i) })
    if (sender.reportEveryMs === undefined || ms % sender.reportEveryMs >= sender.everyMs) continue
    const senderMs = sender.offsetMs + ms * (1 + sender.clockPpm / 1e6)
    reports.push({ timestamp, senderMs, atMs: ms + jitterMs(i * 7 + 3) })
  }
  return { items, reports: [reports], unitsPerMs: sender.unitsPerMs, truthMs }
}

function worst(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

describe('audio and video of a person', () => {
  const clocks = { offsetMs: 123_456_789, clockPpm: 80 }
  const audio = record(30, { ...clocks, mediaPpm: -120 })
  const video = record(30, {
    ...clocks,
    mediaPpm: 60,
    unitsPerMs: 90,
    everyMs: 40,
    reportEveryMs: 1000,
  })
  const sender = senderClock([audio, video])
  const audioTimes = captureTimes(audio, sender)
  const videoTimes = captureTimes(video, sender)

  test('stay in step for half an hour, despite clock drift', () => {
    const apart = videoTimes.map((time, i) => time - (audioTimes[i * 2] ?? 0))
    expect(worst(apart)).toBeLessThan(15)
  })

  test('stay at their place in the time of the room', () => {
    const late = audioTimes.map((time, i) => time - (audio.truthMs[i] ?? 0))
    expect(worst(late)).toBeLessThan(30)
  })

  test('are placed without a gap between samples', () => {
    const units = audioTimes.map((timeMs, i) => ({
      timeMs,
      atMs: timeMs,
      offset: 0,
      size: 1,
      samples: 960,
      level: 30 + (i % 2),
    }))
    const placed = [...placeAudio(units, audioTimes[0] ?? 0)]
    expect(placed).toHaveLength(units.length)
    const gaps = placed.slice(1).map(({ start }, i) => {
      const before = placed[i]
      return start - (before?.start ?? 0) - (before?.length ?? 0)
    })
    expect(worst(gaps)).toBe(0)
    const apart = placed.map(
      ({ start }, i) => start / 48 - ((audioTimes[i] ?? 0) - (audioTimes[0] ?? 0)),
    )
    expect(worst(apart)).toBeLessThan(20)
  })
})

describe('without reports of the sender', () => {
  test('the earliest arrivals give the time, even for a drifting clock', () => {
    const track = record(10, { mediaPpm: 100, reportEveryMs: undefined })
    const times = captureTimes(track, senderClock([]))
    const late = times.map((time, i) => time - (track.truthMs[i] ?? 0))
    expect(worst(late)).toBeLessThan(30)
  })
})

function shift(ms: number): number {
  return ms >= 30_000 ? 20_000 : 0
}

describe('a source that paused together with its timestamps', () => {
  test('continues at its return, with and without reports', () => {
    for (const reportEveryMs of [1000, undefined]) {
      const track = record(1, { reportEveryMs })
      const paused = {
        ...track,
        items: track.items.map((item, i) => ({
          ...item,
          atMs: item.atMs + shift(track.truthMs[i] ?? 0),
        })),
        reports: track.reports.map((stream) =>
          stream.map((report) => ({
            ...report,
            atMs: report.atMs + shift(report.atMs),
            senderMs: report.senderMs + shift(report.atMs),
          })),
        ),
      }
      const times = captureTimes(paused, senderClock([paused]))
      const late = times.map((time, i) => {
        const truth = track.truthMs[i] ?? 0
        return time - truth - shift(truth)
      })
      expect(worst(late)).toBeLessThan(50)
    }
  })
})

/** A machine that is too busy to take packets: by and by they wait for two seconds, and it catches up. */
function busyMs(ms: number): number {
  if (ms < 20_000 || ms >= 40_000) return 0
  return ms < 24_000 ? 1000 : 2200
}

test('packets that are read late for many seconds keep their place', () => {
  const track = record(1, { offsetMs: 123_456, reportEveryMs: 5000 })
  // The capture begins between two reports; it gets the last one.
  const missed = 150
  const late = {
    ...track,
    items: track.items.slice(missed).map((item, i) => ({
      ...item,
      atMs: item.atMs + busyMs(track.truthMs[missed + i] ?? 0),
    })),
    reports: track.reports.map((stream) =>
      stream.map((report) => ({ ...report, atMs: report.atMs + busyMs(report.atMs) })),
    ),
  }
  const times = captureTimes(late, senderClock([late]))
  expect(times).toHaveLength(late.items.length)
  expect(worst(times.map((time, i) => time - (track.truthMs[missed + i] ?? 0)))).toBeLessThan(50)
})

test('a last stretch without a report of its own is as late as the rest of its track', () => {
  const LAG_MS = 190
  const PAUSED_AT_MS = 55_000
  const PAUSE_MS = 5_000
  const track = record(1, { reportEveryMs: 1000 })
  const shiftMs = (ms: number): number => (ms >= PAUSED_AT_MS ? PAUSE_MS : 0)
  const lagging = {
    ...track,
    items: track.items.map((item, i) => ({
      ...item,
      atMs: item.atMs + LAG_MS + shiftMs(track.truthMs[i] ?? 0),
    })),
    reports: track.reports.map((stream) => stream.filter(({ senderMs }) => senderMs < 50_000)),
  }
  const times = captureTimes(lagging, senderClock([lagging]))
  const late = times.map((time, i) => {
    const truth = track.truthMs[i] ?? 0
    return time - truth - shiftMs(truth)
  })
  expect(worst(late)).toBeLessThan(50)
})

test('a sender whose reports contradict the arrivals is placed by the arrivals', () => {
  const track = record(1, {})
  const wrong = track.reports.map((stream) =>
    stream.map((report, i) => ({ ...report, senderMs: i % 2 === 0 ? 0 : 50_000 })),
  )
  const times = captureTimes({ ...track, reports: wrong }, senderClock([{ reports: wrong }]))
  const late = times.map((time, i) => time - (track.truthMs[i] ?? 0))
  expect(worst(late)).toBeLessThan(50)
})
