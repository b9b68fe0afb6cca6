import type { MediaConnection } from '../../../platform/ports/media.ts'
import { deadlinesOf, isPast } from './segment-limits.ts'
import { egressIdOf, isCapture, isFinal, isInDoubt, isOver, type Segment } from './segment.ts'

/** The state of a media room and of its recorders. */
export interface SeenRoom {
  /**
   * Undefined if it was not asked, or does not exist: a media server that was restarted has lost its rooms, and their recorders wait
   * until they are made again. If nobody comes back, the recording ends because everybody has left.
   */
  connections: readonly SeenConnection[] | undefined
  /** Recorders that do not report what they are writing. */
  silent: ReadonlySet<string | null>
  /** Running egresses that their own recorder lists no more: it has lost them with its disk. */
  forgotten?: ReadonlySet<string>
}

/** `isSending`: has a track that is not muted. */
type SeenConnection = Pick<MediaConnection, 'identity' | 'isSending'>

/**
 * The action for a segment without a report of its provider. `ask_storage`: only the storage can tell. `lose`: nothing can
 * have been written. `discard`: it belongs to no recording, and is over.
 */
export type Due =
  | { do: 'discard' | 'recorder_is_back' | 'replace' }
  | { do: 'lose'; why: 'start_timeout' | 'give_up' | 'drop' }
  | { do: 'ask_storage'; why: StorageQuestion }

/**
 * `recorder_lost`: its recorder left without a report. `limit`: it took too long. `peek`: the same while its recorder does
 * not answer, so that nothing is lost if the storage has nothing. `doubt`: its provider reports a loss.
 */
export type StorageQuestion =
  | 'recorder_lost'
  | 'limit'
  | 'peek'
  | 'doubt'
  | 'start_timeout'
  | 'give_up'

/**
 * Decides what is due for an unfinished segment. While a recorder does not report what it is writing, its segments wait,
 * unless the recorder has left or the storage shows what it delivered. Every wait is limited.
 */
export function dueOf(
  segment: Segment,
  { connections, silent, forgotten }: SeenRoom,
  now: Date,
): Due | undefined {
  const egressId = egressIdOf(segment)
  if (egressId !== null && !isOver(segment) && forgotten?.has(egressId) === true) {
    return { do: 'ask_storage', why: 'recorder_lost' }
  }
  if (segment.recordingId === null && isOver(segment)) return { do: 'discard' }
  if (isFinal(segment)) return undefined
  if (isInDoubt(segment)) return { do: 'ask_storage', why: 'doubt' }
  const ofRoom = connections && dueInRoom(segment, connections, now)
  return ofRoom ?? dueByClock(segment, silent.has(segment.recorder), now)
}

function dueInRoom(
  segment: Segment,
  connections: readonly SeenConnection[],
  now: Date,
): Due | undefined {
  const egressId = egressIdOf(segment)
  if (egressId === null) return undefined
  const isRecorderThere = connections.some(({ identity }) => identity === egressId)
  const isOverdue = isPast(segment, 'recorder_lost', now)
  if (isOverdue && !isRecorderThere) return { do: 'ask_storage', why: 'recorder_lost' }
  const isSent = connections.some(
    ({ identity, isSending }) =>
      isSending && (segment.person === null || segment.person.mediaIdentity === identity),
  )
  if (isSent && isPast(segment, 'replace', now)) return { do: 'replace' }
  return isOverdue ? { do: 'recorder_is_back' } : undefined
}

function dueByClock(segment: Segment, isBlind: boolean, now: Date): Due | undefined {
  const reached = deadlinesOf(segment, { isBlind }).filter(({ at }) => now >= at)
  for (const { action } of reached) {
    if (action === 'judge') return { do: 'ask_storage', why: 'limit' }
    if (action === 'drop') return { do: 'lose', why: action }
    if (action === 'start_timeout' || action === 'give_up') {
      // A recorder whose report was lost may have delivered chunks.
      return { do: isCapture(segment) ? 'ask_storage' : 'lose', why: action }
    }
  }
  return isBlind && isPast(segment, 'judge', now) ? { do: 'ask_storage', why: 'peek' } : undefined
}
