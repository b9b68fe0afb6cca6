import type { Exhibit } from '@interview-room/composer/exhibits.ts'
import type { PastPresentation } from '../../handouts/presentation.ts'
import type { Segment } from './segment.ts'

type Stretch = Pick<Segment, 'startedAt' | 'endedAt' | 'createdAt' | 'clockOffsetMs'>

/** What was shown while a segment was recorded, or may have been: its end is known by the capture alone. */
export function shownDuring(
  { startedAt, createdAt, clockOffsetMs }: Stretch,
  presentations: readonly PastPresentation[],
): PastPresentation[] {
  // The provider reported when it began, by its own clock.
  const beganMs = (startedAt?.getTime() ?? createdAt.getTime()) - Math.abs(clockOffsetMs ?? 0)
  return presentations.filter(({ to }) => to === null || to.getTime() > beganMs)
}

/** The same for the composer, by the clock of the capture. `fileOf`: undefined for a file that is gone. */
export function exhibitsOf(
  segment: Stretch,
  presentations: readonly PastPresentation[],
  fileOf: (storageKey: string) => string | undefined,
): Exhibit[] {
  const msOf = (at: Date) => at.getTime() + (segment.clockOffsetMs ?? 0)
  return shownDuring(segment, presentations).flatMap((shown): Exhibit[] => {
    const file = fileOf(shown.storageKey)
    if (file === undefined) return []
    return [
      {
        kind: shown.contentType,
        file,
        fromMs: msOf(shown.from),
        toMs: shown.to === null ? Number.MAX_SAFE_INTEGER : msOf(shown.to),
        playback: shown.playback.map(({ at, positionSec, isPlaying }) => ({
          atMs: msOf(at),
          positionSec,
          isPlaying,
        })),
      },
    ]
  })
}
