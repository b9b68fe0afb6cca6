import type { Query, Tx } from '../../../platform/db/db.ts'
import type { RequestedSegment } from './segment.ts'

/** A segment as a caller knows it. If somebody has asked a recorder for it since, the caller has lost its turn. */
type Known = Pick<RequestedSegment, 'id' | 'askedAt'>

const isTheirTurn = (query: Query, { id, askedAt }: Known) => query`
  id = ${id} and status = 'requested' and egress_id is null
  and asked_at is not distinct from ${askedAt}
`

/** Claims the right to ask this recorder to write the segment to this key. Returns false if the turn is lost. */
export async function claimStart(
  query: Query,
  known: Known,
  { recorder, storageKey, now }: { recorder: string; storageKey: string; now: Date },
): Promise<boolean> {
  const { count } = await query`
    update recording_segments
       set storage_key = ${storageKey}, asked_at = ${now}, ask_failed_at = null,
           recorder = ${recorder}
     where ${isTheirTurn(query, known)} and ends_asked_at is null
  `
  return count === 1
}

/** Records that nobody waits for the answer any more. `recorder`: the one that may have begun anyway. */
export async function noteAskFailed(
  query: Query,
  known: Known & Pick<RequestedSegment, 'recorder'>,
  at: Date,
): Promise<void> {
  await query`
    update recording_segments set ask_failed_at = ${at}, recorder = ${known.recorder}
     where ${isTheirTurn(query, known)}
  `
}

/** Gives up the segment wherever it was asked for: it ends and is discarded. Returns false if the turn is lost. */
export async function giveUpAsked(tx: Tx, known: Known, at: Date): Promise<boolean> {
  const { count } = await tx`
    update recording_segments set recording_id = null, ends_asked_at = ${at}
     where ${isTheirTurn(tx, known)} and ends_asked_at is null
  `
  return count === 1
}

/** True while the provider is being asked to start a segment of this recording, or is about to be. */
export async function isBeingAsked(
  query: Query,
  { recordingId, since }: { recordingId: string; since: Date },
): Promise<boolean> {
  const rows = await query`
    select 1
      from recording_segments
     where recording_id = ${recordingId}
       and status = 'requested'
       and ask_failed_at is null
       and (asked_at is null or asked_at > ${since})
  `
  return rows.length > 0
}
