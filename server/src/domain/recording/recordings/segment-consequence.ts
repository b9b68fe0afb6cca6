import type { Recording } from './recording.ts'
import {
  isFinal,
  isLost,
  isStartedAgain,
  neverBegan,
  SEGMENT_RANK,
  type Segment,
} from './segment.ts'

/**
 * again: a segment that ended before it began gets its second egress. note_loss: a segment is lost and others are kept. The
 * room learns of each once, because a segment becomes final once.
 */
export type Consequence =
  | { do: 'again'; segment: Segment }
  | { do: 'note_loss'; reason: string }
  | { do: 'stop' }
  | { do: 'fail'; reason: string }
  | { do: 'finish' }

type JudgedRecording = Pick<Recording, 'status' | 'outputMode'>

/** The consequences of its segments' states for a recording. The segment `movedId` has just moved. */
export function consequenceOf(
  recording: JudgedRecording,
  all: readonly Segment[],
  movedId: string,
): Consequence[] {
  // A segment that was given a second egress no longer counts.
  const segments = all.filter((each) => !isReplaced(each, all))
  const moved = segments.find(({ id }) => id === movedId)
  if (moved === undefined) return []
  const isRunning = recording.status === 'started' || recording.status === 'paused'
  if (isRunning && isStartedAgain(moved) && moved.endsAskedAt === null) {
    return [{ do: 'again', segment: moved }]
  }
  const ends = endsOf(recording, segments)
  const lost = isLost(moved) && !neverBegan(moved) ? moved.failureReason : null
  const isCollected = lost === null || ends.some((each) => each.do === 'fail')
  return isCollected ? ends : [{ do: 'note_loss', reason: lost }, ...ends]
}

function endsOf(recording: JudgedRecording, segments: readonly Segment[]): Consequence[] {
  const { status, outputMode } = recording
  // A pause holds whatever happens to the segments: the recording then continues with the next one.
  if (status === 'paused') return []
  const areFinal = segments.every((each) => isFinal(each))
  const isKept = segments.some((each) => reasonOf(each) === null)
  if (areFinal && !isKept) {
    // In an individual recording, another person's segment may still follow.
    if (status === 'started' && outputMode === 'individual') return []
    return [{ do: 'fail', reason: reasonOf(segments.at(-1)) ?? 'internal' }]
  }
  if (status === 'started' && hasEndedByItself(recording, segments)) {
    return areFinal ? [{ do: 'stop' }, { do: 'finish' }] : [{ do: 'stop' }]
  }
  return areFinal && status === 'stopped' ? [{ do: 'finish' }] : []
}

function isReplaced(segment: Segment, all: readonly Segment[]): boolean {
  return (
    isStartedAgain(segment) &&
    all.some(
      ({ position, person, attempt }) =>
        position === segment.position &&
        attempt > segment.attempt &&
        person?.mediaIdentity === segment.person?.mediaIdentity,
    )
  )
}

/** In an individual recording a segment ends when the person leaves, which does not end the recording. */
function hasEndedByItself({ outputMode }: JudgedRecording, segments: readonly Segment[]): boolean {
  const last = segments.at(-1)
  if (outputMode === 'individual' || last === undefined) return false
  // A segment that was asked to end is followed by another segment, or by another status of the recording.
  return SEGMENT_RANK[last.status] >= SEGMENT_RANK.ending
}

/** The reason of the loss; null if it is not lost. */
function reasonOf(segment: Segment | undefined): string | null {
  return segment !== undefined && isLost(segment) ? segment.failureReason : null
}
