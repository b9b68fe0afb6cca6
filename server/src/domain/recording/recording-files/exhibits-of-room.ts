import type { Exhibit } from '@interview-room/composer/exhibits.ts'
import type { Spotlight } from '@interview-room/composer/spotlights.ts'
import type { PastPresentation } from '../../handouts/presentation.ts'
import type { PastSpotlight } from '../../people/present-store.ts'
import type { ActiveSegment, CompleteSegment } from '../recordings/segment.ts'

type Stretch = Pick<ActiveSegment | CompleteSegment, 'startedAt' | 'createdAt' | 'clockOffsetMs'>

/** The presentations that may have been shown during a segment. Only the capture knows the segment's end. */
export function shownDuring(
  { startedAt, createdAt }: Stretch,
  presentations: readonly PastPresentation[],
): PastPresentation[] {
  return presentations.filter(({ to }) => to === null || to > (startedAt ?? createdAt))
}

/**
 * The same for the composer, in the capture's clock.
 * @param fileOf returns undefined for a missing file.
 */
export function exhibitsOf(
  segment: Stretch,
  presentations: readonly PastPresentation[],
  fileOf: (storageKey: string) => string | undefined,
): Exhibit[] {
  const msOf = clockOf(segment)
  return shownDuring(segment, presentations).flatMap((shown): Exhibit[] => {
    const file = fileOf(shown.storageKey)
    if (file === undefined) return []
    return [
      {
        kind: shown.contentType,
        file,
        fromMs: msOf(shown.from),
        toMs: msOf(shown.to),
        playback: shown.playback.map(({ at, positionSec, isPlaying }) => ({
          atMs: msOf(at),
          positionSec,
          isPlaying,
        })),
      },
    ]
  })
}

export function spotlightsOf(segment: Stretch, spotlights: readonly PastSpotlight[]): Spotlight[] {
  const msOf = clockOf(segment)
  return spotlights.map(({ identity, from, to }) => ({
    identity,
    fromMs: msOf(from),
    toMs: msOf(to),
  }))
}

/** Converts a time of the service to the capture's clock. Null means not over, and is later than everything. */
function clockOf({ clockOffsetMs }: Stretch): (at: Date | null) => number {
  return (at) => (at === null ? Number.MAX_SAFE_INTEGER : at.getTime() + (clockOffsetMs ?? 0))
}
