import type { CaptureEvent, TrackRole } from './capture/capture-events.ts'
import { type Span, splitSpans } from './spans.ts'

/** A person, or a shared screen, with a tile. */
export interface Member {
  participant: string
  /** The same on every connection of a person; unknown in captures from before it was stored. */
  identity?: string | undefined
  name: string
  isScreen: boolean
  /** The picture to show from the given moment on; none while it is muted or not published. */
  video: { track: string; sinceMs: number } | undefined
}

/** The visible members from one moment to the next change. */
export interface CastSpan {
  fromMs: number
  toMs: number
  layout: string
  members: readonly Member[]
}

interface PublishedVideo {
  participant: string
  role: TrackRole
  shownSinceMs: number | undefined
}

export interface CastPlan {
  fromMs: number
  toMs: number
  layout: string
  /** Everybody in the order of their tiles, as `placesOf` gives them. */
  places: readonly string[]
}

/**
 * The order of the tiles over a whole recording, as identities: the known one first, then everybody else by their first appearance
 * in the captures. A capture lists the people whom it finds in a room in any order.
 */
export function placesOf(
  captures: readonly (readonly CaptureEvent[])[],
  known: readonly string[],
): string[] {
  const appeared = captures.flatMap((events) =>
    events.flatMap((event) => (event.fact === 'joined' ? [placeOf(event)] : [])),
  )
  return [...new Set([...known, ...appeared])]
}

function placeOf({
  participant,
  identity,
}: {
  participant: string
  identity?: string | undefined
}) {
  return identity ?? participant
}

/** Reads the events of a capture between two moments as spans without a change. */
export function castSpans(
  events: readonly CaptureEvent[],
  { fromMs, toMs, layout, places }: CastPlan,
): CastSpan[] {
  const state = new CastState(layout, places)
  const spans: CastSpan[] = []
  let sinceMs = fromMs
  for (const fact of events) {
    if (fact.atMs >= toMs) break
    if (fact.atMs > sinceMs) {
      spans.push({ fromMs: sinceMs, toMs: fact.atMs, ...state.read() })
      sinceMs = fact.atMs
    }
    state.apply(fact)
  }
  spans.push({ fromMs: sinceMs, toMs, ...state.read() })
  return spans
}

/** Splits spans where cameras stop and start to come, by track, and leaves their last picture out meanwhile. */
export function withoutFrozen(
  spans: readonly CastSpan[],
  dark: ReadonlyMap<string, readonly Span[]>,
): CastSpan[] {
  const changes = [...dark.values()].flat().flatMap(({ fromMs, toMs }) => [fromMs, toMs])
  return splitSpans(spans, changes).map((span) => ({
    ...span,
    members: span.members.map((member) => {
      const lacks = dark.get(member.video?.track ?? '') ?? []
      const isDark = lacks.some(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs > span.fromMs)
      return isDark ? { ...member, video: undefined } : member
    }),
  }))
}

class CastState {
  readonly #people = new Map<string, { identity: string | undefined; name: string }>()
  readonly #videoTracks = new Map<string, PublishedVideo>()
  readonly #places: ReadonlyMap<string, number>
  #layout: string

  constructor(layout: string, places: readonly string[]) {
    this.#layout = layout
    this.#places = new Map(places.map((identity, place) => [identity, place]))
  }

  read(): { layout: string; members: Member[] } {
    const people = [...this.#people].map(([participant, known]) => ({ participant, ...known }))
    const inOrder = people.toSorted((a, b) => this.#rankOf(a) - this.#rankOf(b))
    const members = inOrder.flatMap(({ participant, ...known }) => {
      const camera = this.#shown(participant, 'camera')
      const person = { participant, ...known, isScreen: false, video: camera }
      const screen = this.#shown(participant, 'screen')
      if (screen === undefined) return [person]
      return [person, { participant, ...known, isScreen: true, video: screen }]
    })
    return { layout: this.#layout, members }
  }

  apply(fact: CaptureEvent): void {
    switch (fact.fact) {
      case 'joined':
        this.#people.set(fact.participant, { identity: fact.identity, name: fact.name })
        return
      case 'renamed': {
        const identity = this.#people.get(fact.participant)?.identity
        this.#people.set(fact.participant, { identity, name: fact.name })
        return
      }
      case 'left':
        this.#people.delete(fact.participant)
        return
      case 'layout':
        this.#layout = fact.layout
        return
      case 'published': {
        const { participant, role, isMuted, isEncrypted, atMs } = fact
        if (isEncrypted) return
        this.#videoTracks.set(fact.track, {
          participant,
          role,
          shownSinceMs: isMuted ? undefined : atMs,
        })
        return
      }
      case 'unpublished':
        this.#videoTracks.delete(fact.track)
        return
      case 'muted':
      case 'unmuted': {
        const video = this.#videoTracks.get(fact.track)
        if (video !== undefined) {
          video.shownSinceMs = fact.fact === 'muted' ? undefined : fact.atMs
        }
        return
      }
      case 'resumed':
        this.#people.clear()
        this.#videoTracks.clear()
        return
      case 'active':
      case 'missed':
      case 'stood_still':
      case 'recordable':
      case 'snapshot':
      case 'stopped':
      case 'unrecordable':
    }
  }

  #rankOf(person: { participant: string; identity: string | undefined }): number {
    return this.#places.get(placeOf(person)) ?? this.#places.size
  }

  #shown(participant: string, role: TrackRole): Member['video'] {
    const found = [...this.#videoTracks].findLast(
      ([, video]) =>
        video.participant === participant &&
        video.role === role &&
        video.shownSinceMs !== undefined,
    )
    if (found === undefined) return undefined
    return { track: found[0], sinceMs: found[1].shownSinceMs ?? 0 }
  }
}
