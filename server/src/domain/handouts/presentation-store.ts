import type { HandoutContentType } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import { type Handout, shownFileOf } from './handout.ts'
import type { PresentationEvent } from './presentation.ts'

/** Stores which file was presented, because the handout may get another one. */
export async function insertPresentation(tx: Tx, handout: Handout, seq: bigint): Promise<void> {
  const { roomId, id, contentType } = handout
  const { storageKey } = shownFileOf(handout)
  await tx`
    insert into handout_presentations (room_id, seq, handout_id, content_type, storage_key)
    values (${roomId}, ${seq}, ${id}, ${contentType}, ${storageKey})
  `
}

interface EventRow {
  at: Date
  handoutId: string
  to: 'show' | 'hide' | 'playback'
  contentType: HandoutContentType | null
  storageKey: string | null
  positionSec: number
  isPlaying: boolean
}

/** In the order of the log. A show whose file is unknown is left out. */
export async function listPresentationEvents(
  query: Query,
  roomId: string,
): Promise<PresentationEvent[]> {
  const rows = await query<EventRow[]>`
    select v.created_at as at, v.payload ->> 'handout_id' as "handoutId",
           substr(v.event_type, length('handout.') + 1) as to,
           coalesce(p.content_type, h.content_type) as "contentType",
           coalesce(p.storage_key, h.storage_key) as "storageKey",
           coalesce((v.payload ->> 'position_sec')::float8, 0) as "positionSec",
           coalesce((v.payload ->> 'is_playing')::boolean, false) as "isPlaying"
      from room_events v
      left join handout_presentations p on p.room_id = v.room_id and p.seq = v.seq
      -- Fallback for shows from before presentations were stored.
      left join handouts h on h.room_id = v.room_id and h.id::text = v.payload ->> 'handout_id'
     where v.room_id = ${roomId}
       and v.event_type in ('handout.show', 'handout.hide', 'handout.playback')
     order by v.seq
  `
  return rows.flatMap((row): PresentationEvent[] => {
    const { at, handoutId, to, contentType, storageKey, ...playback } = row
    if (to === 'hide') return [{ at, handoutId, to }]
    if (to === 'playback') return [{ at, handoutId, to, ...playback }]
    if (contentType === null || storageKey === null) return []
    return [{ at, handoutId, to, contentType, storageKey }]
  })
}

/** True if a recording that is not composed yet has to show this file. */
export async function isNeededForRecording(query: Query, storageKey: string): Promise<boolean> {
  const rows = await query`
    select 1
      from handout_presentations p
      join recordings r on r.room_id = p.room_id
     where p.storage_key = ${storageKey}
       and r.status in ('started', 'paused', 'stopped')
     limit 1
  `
  return rows.length > 0
}
