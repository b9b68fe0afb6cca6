import type { CaptureEvent } from './capture/capture-events.ts'
import type { Material } from './read-material.ts'
import { difference, overlaps, type Span, union } from './spans.ts'
import { type SentTrack, tracksOf } from './tracks.ts'

/**
 * Why something is missing: `away`: the recorder was not there, or did not run; `no_media`: nothing came of a track that was
 * switched on; `encrypted`: the person encrypts it for the others; `codec_unsupported`: it came in a codec that is not captured.
 */
type AbsenceReason = 'away' | 'no_media' | 'encrypted' | 'codec_unsupported'

/** A time in which something is missing in a capture; in milliseconds since 1970, by its clock. */
export interface CaptureAbsence extends Span {
  reason: AbsenceReason
  /** The person that it is missing of. Undefined if nobody was captured, or the capture does not name people. */
  identity?: string
  /** The codec that is not captured, such as `video/VP9`. */
  codec?: string
}

/** A track as it was announced; in milliseconds since 1970, by the clock of the capture. */
export interface AnnouncedTrack {
  track: string
  /** The connection that publishes it. */
  participant: string
  publishedMs: number
  /** Null until the end of the capture. */
  unpublishedMs: number | null
}

/** The parts of a capture that lack media. */
export interface Losses {
  absences: CaptureAbsence[]
  tracks: AnnouncedTrack[]
  /** Times without media of anybody, of at least two seconds. */
  empty: Span[]
  /** The same for each camera, by track. */
  dark: ReadonlyMap<string, readonly Span[]>
}

/** Packets of a camera or a microphone come more often than this, those of silence included. */
const LACK_MIN_MS = 1000
/** A shorter lack is not worth a word in the picture. */
const SHOWN_MIN_MS = 2000

/**
 * Compares the tracks of a capture with their packets. A muted track lacks nothing. A screen sends only when it changes, so
 * it lacks only what comes before its first packet.
 */
export function lossesOf(material: Material): Losses {
  const { events, startMs, endMs } = material
  const tracks = tracksOf(events, { startMs, endMs })
  const away = awayOf(material)
  const causes = [...away, ...standstillsOf(events)]
  const sent = sentTimes(material)
  const lacking = tracks.map((track) => {
    return { track, lacks: lacksOf(track, sent.get(track.track) ?? new Float64Array()) }
  })
  const judged = lacking.filter(({ track }) => isSteady(track))
  const media = judged.flatMap(({ track, lacks }) => difference(track.sent, lacks))
  const lost = [...away, ...judged.flatMap(({ lacks }) => lacks)]
  return {
    absences: [
      ...away.map((span) => ({ ...span, reason: 'away' as const })),
      ...lacking.flatMap(({ track, lacks }) => [
        ...lacks.map((lack) => ({
          ...lack,
          reason: overlaps(lack, causes) ? ('away' as const) : ('no_media' as const),
          ...personOf(track),
        })),
        ...track.uncaptured.map((stretch) => ({ ...stretch, ...personOf(track) })),
      ]),
    ],
    tracks: tracks.map(({ track, participant, publishedMs, unpublishedMs }) => {
      return { track, participant, publishedMs, unpublishedMs }
    }),
    empty: difference(union(lost), media).filter(isShown),
    dark: new Map(judged.map(({ track, lacks }) => [track.track, lacks.filter(isShown)])),
  }
}

function personOf({ identity }: SentTrack): Pick<CaptureAbsence, 'identity'> {
  return identity === undefined ? {} : { identity }
}

function isShown({ fromMs, toMs }: Span): boolean {
  return toMs - fromMs >= SHOWN_MIN_MS
}

function isSteady({ role }: SentTrack): boolean {
  return role === 'camera' || role === 'microphone'
}

function lacksOf(track: SentTrack, sentMs: Float64Array): Span[] {
  return track.sent.flatMap(({ fromMs, toMs }) => {
    const inside = sentMs.subarray(indexFrom(sentMs, fromMs), indexFrom(sentMs, toMs))
    const moments = isSteady(track) ? [...inside, toMs] : [inside[0] ?? toMs]
    const lacks: Span[] = []
    let before = fromMs
    for (const at of moments) {
      if (at - before >= LACK_MIN_MS) lacks.push({ fromMs: before, toMs: at })
      before = at
    }
    return lacks
  })
}

/** The index of the first time that is not before a moment. */
function indexFrom(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** The times of what can be decoded, in order, by track. */
function sentTimes({ videoTracks, voices }: Material): ReadonlyMap<string, Float64Array> {
  const found = new Map<string, Float64Array>()
  for (const { track, units } of videoTracks) {
    const times: number[] = []
    for (const { timeMs, isKeyFrame } of units) {
      if (times.length > 0 || isKeyFrame) times.push(timeMs)
    }
    found.set(track, Float64Array.from(times).toSorted())
  }
  for (const { audio } of voices) {
    const times = Array.from(audio.units, ({ timeMs }) => timeMs)
    found.set(audio.track, Float64Array.from(times).toSorted())
  }
  return found
}

/** The times without a connection, and those between the last sign of a process and its resumption by another one. */
function awayOf({ events, videoTracks, voices, startMs }: Material): Span[] {
  const tracks = [...videoTracks, ...voices.map(({ audio }) => audio)]
  return events.flatMap((event): Span[] => {
    const { fact, atMs: toMs } = event
    if (fact === 'missed') return [{ fromMs: event.sinceMs, toMs }]
    if (fact !== 'resumed') return []
    let fromMs = events.findLast(({ atMs }) => atMs < toMs)?.atMs ?? toMs
    for (const { units } of tracks) {
      for (const { atMs } of units) if (atMs < toMs) fromMs = Math.max(fromMs, atMs)
    }
    return [{ fromMs: Math.max(startMs, fromMs), toMs }]
  })
}

function standstillsOf(events: readonly CaptureEvent[]): Span[] {
  return events.flatMap((event) =>
    event.fact === 'stood_still' ? [{ fromMs: event.sinceMs, toMs: event.atMs }] : [],
  )
}
