import type { CaptureEvent, TrackRole } from './capture/capture-events.ts'
import { type Span, union } from './spans.ts'

/** A time in which nothing of a track could be captured. */
interface Uncaptured extends Span {
  reason: 'encrypted' | 'codec_unsupported'
  codec?: string
}

/** A track over the whole capture. */
export interface SentTrack {
  track: string
  participant: string
  identity: string | undefined
  role: TrackRole
  publishedMs: number
  /** Null until the end of the capture. */
  unpublishedMs: number | null
  /** The times while it was switched on and could be captured. */
  sent: readonly Span[]
  uncaptured: readonly Uncaptured[]
}

interface TrackState {
  isMuted: boolean
  isEncrypted: boolean
  codec: string | undefined
  unpublishedMs: number | null
}

interface Bounds {
  startMs: number
  endMs: number
}

type Published = Extract<CaptureEvent, { fact: 'published' }>

/** Reads the tracks from the events of a capture. Times before its beginning are left out. */
export function tracksOf(events: readonly CaptureEvent[], bounds: Bounds): SentTrack[] {
  const tracks = new Tracks(bounds)
  for (const event of events) tracks.apply(event)
  return tracks.read()
}

class Tracks {
  readonly #bounds: Bounds
  readonly #identities = new Map<string, string | undefined>()
  readonly #tracks = new Map<string, TrackHistory>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  apply(event: CaptureEvent): void {
    const { atMs } = event
    switch (event.fact) {
      case 'joined':
        this.#identities.set(event.participant, event.identity)
        return
      case 'published':
        return this.#publish(event)
      case 'muted':
      case 'unmuted':
        return this.#change(event.track, { isMuted: event.fact === 'muted' }, atMs)
      case 'unrecordable':
        return this.#change(event.track, { codec: event.codec }, atMs)
      case 'recordable':
        return this.#change(event.track, { codec: undefined }, atMs)
      case 'unpublished':
        return this.#change(event.track, { unpublishedMs: atMs }, atMs)
      // Everything that is still there is published again.
      case 'resumed':
        for (const track of this.#tracks.keys()) this.#change(track, { unpublishedMs: atMs }, atMs)
        return
      case 'active':
      case 'layout':
      case 'left':
      case 'missed':
      case 'renamed':
      case 'snapshot':
      case 'stood_still':
      case 'stopped':
    }
  }

  read(): SentTrack[] {
    return [...this.#tracks.values()].map((track) => track.read())
  }

  #publish(event: Published): void {
    const { track, participant, isMuted, isEncrypted = false, atMs } = event
    const state = { isMuted, isEncrypted, codec: undefined, unpublishedMs: null }
    if (this.#tracks.has(track)) return this.#change(track, state, atMs)
    const identity = this.#identities.get(participant)
    this.#tracks.set(track, new TrackHistory({ ...event, identity }, state, this.#bounds))
  }

  #change(track: string, to: Partial<TrackState>, atMs: number): void {
    this.#tracks.get(track)?.change(to, atMs)
  }
}

class TrackHistory {
  readonly #own: Pick<SentTrack, 'track' | 'participant' | 'identity' | 'role' | 'publishedMs'>
  readonly #bounds: Bounds
  readonly #sent: Span[] = []
  readonly #uncaptured: Uncaptured[] = []
  #state: TrackState
  #sinceMs: number

  constructor(
    event: Published & { identity: string | undefined },
    state: TrackState,
    bounds: Bounds,
  ) {
    const { track, participant, identity, role, atMs: publishedMs } = event
    this.#own = { track, participant, identity, role, publishedMs }
    this.#bounds = bounds
    this.#state = state
    this.#sinceMs = publishedMs
  }

  /** Another state from this moment on. */
  change(to: Partial<TrackState>, atMs: number): void {
    const { isMuted, isEncrypted, codec, unpublishedMs } = this.#state
    const { startMs, endMs } = this.#bounds
    const span = { fromMs: Math.max(startMs, this.#sinceMs), toMs: Math.min(endMs, atMs) }
    if (!isMuted && unpublishedMs === null && span.fromMs < span.toMs) {
      if (isEncrypted) this.#uncaptured.push({ ...span, reason: 'encrypted' })
      else if (codec === undefined) this.#sent.push(span)
      else this.#uncaptured.push({ ...span, reason: 'codec_unsupported', codec })
    }
    this.#state = { ...this.#state, ...to }
    this.#sinceMs = atMs
  }

  read(): SentTrack {
    this.change({}, this.#bounds.endMs)
    const { unpublishedMs } = this.#state
    return { ...this.#own, unpublishedMs, sent: union(this.#sent), uncaptured: this.#uncaptured }
  }
}
