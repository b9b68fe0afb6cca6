import type { TrackLack } from '../../../platform/ports/egress.ts'
import type { ActiveSegment } from './segment.ts'

type Absences = ActiveSegment['absences']

/** The absences of a running segment after a report of its recorder. */
interface Lacking {
  absences: Absences
  /** Lacks that the reports before did not have. */
  begun: readonly TrackLack[]
}

/** Adds the reported lacks to the absences of a running segment, or extends them until now. */
export function withLacks(
  { absences, clockOffsetMs }: Pick<ActiveSegment, 'absences' | 'clockOffsetMs'>,
  lacks: readonly TrackLack[],
  now: Date,
): Lacking {
  const toMs = now.getTime()
  const reported = lacks.map((lack) => {
    const { identity: mediaIdentity, track, reason, since } = lack
    const fromMs = since.getTime() - (clockOffsetMs ?? 0)
    return { lack, absence: { fromMs, toMs, mediaIdentity, reason, track } }
  })
  const known = (absence: Absences[number]) =>
    reported.find(({ absence: { fromMs, mediaIdentity, track } }) => {
      const isOf = absence.mediaIdentity === mediaIdentity && absence.track === track
      return isOf && absence.fromMs === fromMs
    })
  const extended = absences.map((each) => known(each)?.absence ?? each)
  const begun = reported.filter(({ absence }) => !extended.includes(absence))
  return {
    absences: [...extended, ...begun.map(({ absence }) => absence)],
    begun: begun.map(({ lack }) => lack),
  }
}

/** True if the last report is older than this, and none is to be stored before. */
export function isDue(
  { absences }: Pick<ActiveSegment, 'absences'>,
  now: Date,
  afterMs: number,
): boolean {
  const lastMs = Math.max(0, ...absences.map(({ track, toMs }) => (track === undefined ? 0 : toMs)))
  return now.getTime() - lastMs >= afterMs
}
