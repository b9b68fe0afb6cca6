import type { Query, Tx } from '../../../platform/db/db.ts'
import { REFUSED_PAUSE_MS } from './segment-limits.ts'

/**
 * The right to ask a recorder. Calls made earlier than `before` count as unanswered. `own` is the caller's own earlier
 * call.
 */
export interface AskTurn {
  before: Date
  own: Date | null
}

/**
 * Claims the right to ask this recorder to start the segment, which only one caller gets at a time. Returns the key to
 * write to: the given one, or the one of an earlier call.
 * @param known the recorder that may be writing the segment, as far as the caller knows.
 */
export async function claimStart(
  query: Query,
  ask: AskTurn & {
    id: string
    known: string | null
    recorder: string
    now: Date
    storageKey: string
  },
): Promise<string | undefined> {
  const { id, known, recorder, now, before, own, storageKey } = ask
  const refusedBefore = new Date(now.getTime() - REFUSED_PAUSE_MS)
  const [row] = await query<{ storageKey: string }[]>`
    update recording_segments
       set storage_key = case when asked_at is null then ${storageKey} else storage_key end,
           asked_at = ${now}, ask_failed_at = null, recorder = ${recorder}
     where id = ${id}
       and status = 'requested'
       and ends_asked_at is null
       and (asked_at = ${own}
            or (recorder is not distinct from ${known}
                and (asked_at is null or asked_at <= ${before}
                     -- Every recorder has refused, so none has begun.
                     or (recorder is null and ask_failed_at <= ${refusedBefore}))))
    returning storage_key as "storageKey"
  `
  return row?.storageKey
}

/**
 * Records that nobody waits for the answer any more. The segment may be asked for again like after any other silence.
 * @param recorder the recorder that may have begun anyway.
 */
export async function noteAskFailed(
  query: Query,
  { id, at, recorder }: { id: string; at: Date; recorder: string | null },
): Promise<void> {
  await query`
    update recording_segments
       set ask_failed_at = ${at}, recorder = ${recorder}
     where id = ${id} and status = 'requested' and egress_id is null
  `
}

/**
 * Gives up the segment wherever it was asked for: it ends and is discarded. Returns false when it was answered or ended
 * meanwhile.
 */
export async function giveUpAsked(
  tx: Tx,
  { id, at, before, own }: AskTurn & { id: string; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update recording_segments
       set recording_id = null, ends_asked_at = ${at}
     where id = ${id}
       and status = 'requested'
       and egress_id is null
       and ends_asked_at is null
       and (asked_at <= ${before} or asked_at = ${own})
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
