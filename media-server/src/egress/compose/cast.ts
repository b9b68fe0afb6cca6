import type { Fact, TrackRole } from '../capture/facts.ts'

/** Somebody, or a shared screen, that has a tile. */
export interface Member {
  participant: string
  name: string
  isScreen: boolean
  /** The picture to show since the given moment; none while it is muted or not published. */
  picture: { track: string; sinceMs: number } | undefined
}

/** Who was to be seen, from one moment to the next change. */
export interface CastSpan {
  fromMs: number
  toMs: number
  layout: string
  members: readonly Member[]
}

interface PublishedPicture {
  participant: string
  role: TrackRole
  shownSinceMs: number | undefined
}

/** Reads the facts of a capture between two moments as spans without a change. */
export function castSpans(
  facts: readonly Fact[],
  { fromMs, toMs, layout }: { fromMs: number; toMs: number; layout: string },
): CastSpan[] {
  const state = new CastState(layout)
  const spans: CastSpan[] = []
  let sinceMs = fromMs
  for (const fact of facts) {
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

class CastState {
  readonly #names = new Map<string, string>()
  readonly #pictures = new Map<string, PublishedPicture>()
  #layout: string

  constructor(layout: string) {
    this.#layout = layout
  }

  read(): { layout: string; members: Member[] } {
    const members = [...this.#names].flatMap(([participant, name]) => {
      const camera = this.#shown(participant, 'camera')
      const person = { participant, name, isScreen: false, picture: camera }
      const screen = this.#shown(participant, 'screen')
      if (screen === undefined) return [person]
      return [person, { participant, name, isScreen: true, picture: screen }]
    })
    return { layout: this.#layout, members }
  }

  apply(fact: Fact): void {
    switch (fact.fact) {
      case 'joined':
      case 'renamed':
        this.#names.set(fact.participant, fact.name)
        return
      case 'left':
        this.#names.delete(fact.participant)
        return
      case 'layout':
        this.#layout = fact.layout
        return
      case 'published': {
        const { participant, role, isMuted, atMs } = fact
        this.#pictures.set(fact.track, {
          participant,
          role,
          shownSinceMs: isMuted ? undefined : atMs,
        })
        return
      }
      case 'unpublished':
        this.#pictures.delete(fact.track)
        return
      case 'muted':
      case 'unmuted': {
        const picture = this.#pictures.get(fact.track)
        if (picture !== undefined) {
          picture.shownSinceMs = fact.fact === 'muted' ? undefined : fact.atMs
        }
        return
      }
      case 'active':
      case 'stopped':
    }
  }

  #shown(participant: string, role: TrackRole): Member['picture'] {
    const found = [...this.#pictures].findLast(
      ([, picture]) =>
        picture.participant === participant &&
        picture.role === role &&
        picture.shownSinceMs !== undefined,
    )
    if (found === undefined) return undefined
    return { track: found[0], sinceMs: found[1].shownSinceMs ?? 0 }
  }
}
