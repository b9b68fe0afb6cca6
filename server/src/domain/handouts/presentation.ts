import type { HandoutContentType } from '@interview-room/contract/vocabulary.ts'

/** A presentation event of the room's log. */
export type PresentationEvent = { at: Date; handoutId: string } & (
  | { to: 'show'; contentType: HandoutContentType; storageKey: string }
  | { to: 'hide' }
  | { to: 'playback'; positionSec: number; isPlaying: boolean }
)

/** A presentation of the past, with its start and end. */
export interface PastPresentation {
  contentType: HandoutContentType
  /** The file of the handout at that time. */
  storageKey: string
  from: Date
  /** Null while it is presented. */
  to: Date | null
  /** For a video: its positions in order, each valid from its time on. */
  playback: readonly { at: Date; positionSec: number; isPlaying: boolean }[]
}

/** Derives the presentations from a room's log, in its order. Only one handout is presented at a time. */
export function presentationsOf(events: readonly PresentationEvent[]): PastPresentation[] {
  const past: (PastPresentation & { playback: PastPresentation['playback'][number][] })[] = []
  let shownId: string | undefined
  for (const event of events) {
    const last = past.at(-1)
    if (event.to === 'show') {
      const { contentType, storageKey, at } = event
      if (last !== undefined) last.to ??= at
      past.push({ contentType, storageKey, from: at, to: null, playback: [] })
      shownId = event.handoutId
    } else if (event.handoutId !== shownId || last === undefined || last.to !== null) {
      continue
    } else if (event.to === 'hide') {
      last.to = event.at
    } else {
      const { at, positionSec, isPlaying } = event
      last.playback.push({ at, positionSec, isPlaying })
    }
  }
  return past
}
