import type { HandoutContentType } from '@interview-room/contract/vocabulary.ts'

/** What the room's log says of handouts. */
export type PresentationEvent = { at: Date; handoutId: string } & (
  | { to: 'show'; contentType: HandoutContentType; storageKey: string }
  | { to: 'hide' }
  | { to: 'playback'; positionSec: number; isPlaying: boolean }
)

/** What everybody in a room was shown, from one moment to another. */
export interface PastPresentation {
  contentType: HandoutContentType
  /** The file that it had then. */
  storageKey: string
  from: Date
  /** Null while it is shown. */
  to: Date | null
  /** Of a video, in order: where it stood from each moment on. */
  playback: readonly { at: Date; positionSec: number; isPlaying: boolean }[]
}

/** Reads a room's log, in its order. One handout is shown at a time. */
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
