import type { TrackLack } from '../../../platform/ports/egress.ts'
import type { Absence, ActiveSegment } from './segment.ts'

/**
 * The absences of a running segment after a report of its recorder: a lack that was reported before lasts until now, and
 * others begin.
 */
export function withLacks(
  { absences, clockOffsetMs }: Pick<ActiveSegment, 'absences' | 'clockOffsetMs'>,
  lacks: readonly TrackLack[],
  now: Date,
): readonly Absence[] {
  const reported = lacks.map(({ identity: mediaIdentity, track, reason, since }): Absence => {
    const fromMs = since.getTime() - (clockOffsetMs ?? 0)
    return { fromMs, toMs: now.getTime(), mediaIdentity, reason, track }
  })
  const areOne = (a: Absence, b: Absence) =>
    a.mediaIdentity === b.mediaIdentity && a.track === b.track && a.fromMs === b.fromMs
  const extended = absences.map((each) => reported.find((one) => areOne(one, each)) ?? each)
  return [...extended, ...reported.filter((each) => !extended.includes(each))]
}

/** The time of the last report that is stored; null before the first. */
export function lacksNotedAt({ absences }: Pick<ActiveSegment, 'absences'>): Date | null {
  const times = absences.flatMap(({ track, toMs }) => (track === undefined ? [] : toMs))
  return times.length === 0 ? null : new Date(Math.max(...times))
}
