import type { Query } from '../../platform/db/db.ts'

/** A person who shares the screen, as the log of the room names them. */
export interface Sharer {
  tenantId: string
  participantId: string | null
  identity: string
  displayName: string
}

/** The person of this connection, by their newest admission. Undefined for everybody who is not seen. */
export async function findSharer(
  query: Query,
  { roomId, identity }: { roomId: string; identity: string },
): Promise<Sharer | undefined> {
  const [row] = await query<Sharer[]>`
    select tenant_id as "tenantId", participant_id as "participantId",
           media_identity as identity, display_name as "displayName"
      from admissions
     where room_id = ${roomId} and media_identity = ${identity}
       and role in ('moderator', 'panelist')
     order by admitted_at desc
     limit 1
  `
  return row
}

/** Everybody whose screen is shared by the log of the room, with whether they are still connected. */
export async function listSharers(
  query: Query,
  roomId: string,
): Promise<(Sharer & { isPresent: boolean })[]> {
  return query<(Sharer & { isPresent: boolean })[]>`
    select tenant_id as "tenantId", payload ->> 'participant_id' as "participantId",
           payload ->> 'identity' as identity, payload ->> 'display_name' as "displayName",
           exists (select 1
                     from entry_histories e
                    where e.room_id = ${roomId} and e.left_at is null
                      and e.media_identity = last.payload ->> 'identity') as "isPresent"
      from (select distinct on (payload ->> 'identity') tenant_id, event_type, payload
              from room_events
             where room_id = ${roomId}
               and event_type in ('screen.started', 'screen.ended')
             order by payload ->> 'identity', seq desc) last
     where event_type = 'screen.started'
  `
}
