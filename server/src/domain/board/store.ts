import type { ConnectionQuality } from '@interview-room/contract/board.ts'
import type { LastConnectionTest } from '@interview-room/contract/connection-tests.ts'
import type { ArchiveMode, RecordingStatus, Role } from '@interview-room/contract/vocabulary.ts'
import type { Db, Query } from '../../platform/db/db.ts'
import { lastTestOf } from '../connection-tests/last-test.ts'
import { everybodyLeft } from '../recording/recordings/read-recordings.ts'
import type { BoardHolder } from './board-holder.ts'

// Links ------------------------------------------------------------------------------------------

export async function insertBoardToken(
  query: Query,
  boardToken: BoardHolder & { createdAt: Date },
): Promise<void> {
  await query`
    insert into board_links (id, tenant_id, operator, display_name, created_at, expires_at)
    values (${boardToken.boardTokenId}, ${boardToken.tenantId}, ${boardToken.operator}, ${boardToken.displayName},
            ${boardToken.createdAt}, ${boardToken.expiresAt})
  `
}

export async function findValidBoardToken(
  query: Query,
  { boardTokenId, now }: { boardTokenId: string; now: Date },
): Promise<BoardHolder | undefined> {
  const [boardToken] = await query<BoardHolder[]>`
    select id as "boardTokenId", tenant_id as "tenantId", operator, display_name as "displayName",
           expires_at as "expiresAt"
      from board_links
     where id = ${boardTokenId} and ended_at is null and expires_at > ${now}
  `
  return boardToken
}

/** Returns those of these links that are still valid. */
export async function listValidBoardTokens(
  query: Query,
  { boardTokenIds, now }: { boardTokenIds: string[]; now: Date },
): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select id from board_links
     where id = any(${[...boardTokenIds]}) and ended_at is null and expires_at > ${now}
  `
  return rows.map(({ id }) => id)
}

/** Revokes every valid link of an operator. Returns their number. */
export async function markBoardTokensRevoked(
  db: Db,
  { tenantId, operator, now }: { tenantId: string; operator: string; now: Date },
): Promise<number> {
  const { count } = await db`
    update board_links
       set ended_at = ${now}
     where tenant_id = ${tenantId} and operator = ${operator}
       and ended_at is null and expires_at > ${now}
  `
  return count
}

/** Deletes the oldest links that expired more than `keptDays` days ago. Returns their number. */
export async function deleteOldBoardTokens(
  query: Query,
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from board_links
     where id = any(array(
             select id from board_links
              where expires_at < statement_timestamp() - make_interval(days => ${keptDays})
              order by expires_at
              limit ${limit}))
  `
  return count
}

// Rooms ------------------------------------------------------------------------------------------

/** A room of the board as it is stored. Times inside lists are text. */
export interface BoardRow {
  id: string
  mediaRoomSid: string
  archiveMode: ArchiveMode
  sessionName: string | null
  externalType: string
  externalId: string
  startsAt: Date
  endsAt: Date
  people: {
    identity: string
    participantId: string | null
    role: Role
    displayName: string
    inSince: string
    line: ConnectionQuality | null
    poorSince: string | null
    lastTest: LastConnectionTest | null
  }[]
  panelistLeftAt: Date | null
  moderatorLeftAt: Date | null
  recording: {
    status: RecordingStatus
    endedAt: string | null
    interruptedAt: string | null
    isBrokenOff: boolean
    id: string
    composedPercent: number | null
    missingSec: number | null
    lacks: { identity: string; sinceMs: number }[]
  } | null
  presentation: { handoutId: string; fileName: string } | null
  helpRequests: { displayName: string; note: string | null; requestedAt: string }[]
}

interface BoardScope {
  tenantId: string
  /** Slots that begin in between, and have not ended before `endsAfter`. */
  startsAfter: Date
  startsUntil: Date
  endsAfter: Date
  now: Date
}

/** Every room that the board of a tenant shows, ordered by start, in one statement. */
export async function listBoardRooms(query: Query, scope: BoardScope): Promise<BoardRow[]> {
  return query<BoardRow[]>`
    with b as (
      select r.id, r.media_room_sid, r.archive_mode, s.name, s.external_type, s.external_id,
             s.starts_at, s.ends_at
        from sessions s
        join rooms r on r.id = s.room_id
       where s.tenant_id = ${scope.tenantId}
         and s.starts_at between ${scope.startsAfter} and ${scope.startsUntil}
         and s.ends_at >= ${scope.endsAfter}
         and s.cancelled_at is null and r.closed_at is null
         and r.kind = 'interview' and r.media_room_sid is not null
    )
    select b.id, b.media_room_sid as "mediaRoomSid", b.archive_mode as "archiveMode",
           b.name as "sessionName", b.external_type as "externalType",
           b.external_id as "externalId", b.starts_at as "startsAt", b.ends_at as "endsAt",
           coalesce(people.list, '[]') as people,
           (select max(e.left_at) from entry_histories e
             where e.room_id = b.id and e.role = 'panelist') as "panelistLeftAt",
           (select max(e.left_at) from entry_histories e
             where e.room_id = b.id and e.role = 'moderator') as "moderatorLeftAt",
           recording.newest as recording, presentation.shown as presentation,
           coalesce(help.list, '[]') as "helpRequests"
      from b
      left join lateral (${people(query)}) people on true
      left join lateral (${newestRecording(query, scope.now)}) recording on true
      left join lateral (${shownHandout(query)}) presentation on true
      left join lateral (
        select json_agg(json_build_object('displayName', h.payload ->> 'display_name',
                                          'note', h.payload ->> 'note',
                                          'requestedAt', h.created_at) order by h.seq) as list
          from (${openHelp(query, query`b.id`)}) h
      ) help on true
     order by b.starts_at, b.id
  `
}

/** One row per person, in order of arrival. The connection quality comes from the newest admission. */
function people(query: Query) {
  return query`
    select json_agg(json_build_object('identity', e.media_identity,
                                      'participantId', e.participant_id, 'role', e.role,
                                      'displayName', e.name, 'inSince', e.entered_at,
                                      'line', a.line, 'poorSince', a.line_bad_since,
                                      'lastTest', (${lastTestOf(query, query`e.participant_id`)}))
                    order by e.seq) as list
      from (select distinct on (media_identity) *
              from entry_histories
             where room_id = b.id and left_at is null
             order by media_identity, seq) e
      left join lateral (select line, line_bad_since
                           from admissions
                          where room_id = e.room_id and media_identity = e.media_identity
                          order by admitted_at desc
                          limit 1) a on true
  `
}

/** Leaves out recordings that the provider does not know yet. */
function newestRecording(query: Query, now: Date) {
  const ended = {
    roomId: query`b.id`,
    endedAt: query`coalesce(c.stopped_at, c.updated_at)`,
    stopReason: query`c.stop_reason`,
    now,
  }
  return query`
    select json_build_object(
             'status', c.status,
             'endedAt', case when c.status not in ('started', 'paused')
                             then coalesce(c.stopped_at, c.updated_at) end,
             'interruptedAt', case when c.status = 'paused' then c.interrupted_at end,
             'isBrokenOff', c.status not in ('started', 'paused')
                            and c.stop_reason is not distinct from 'provider'
                            and not (${everybodyLeft(query, ended)}),
             'lacks', coalesce((${lacksOf(query, now)}), '[]'),
             'id', c.id,
             'missingSec', (select nullif(r.missing_sec, 0)
                              from recording_reports r
                             where r.recording_id = c.id and c.status = 'available'),
             'composedPercent', case when c.status = 'stopped' then c.composed_percent end) as newest
      from recordings c
     where c.room_id = b.id and c.provider_archive_id is not null
     order by c.seq desc
     limit 1
  `
}

/** The recorder reports a lack again every three seconds while it lasts. */
const LACK_REPORTED_MS = 10_000

function lacksOf(query: Query, now: Date) {
  return query`
    select json_agg(json_build_object('identity', a.absence ->> 'mediaIdentity',
                                      'sinceMs', a.absence -> 'fromMs'))
      from recording_segments g
     cross join lateral jsonb_array_elements(g.absences) a(absence)
     where g.recording_id = c.id and g.status = 'active'
       and a.absence ? 'track'
       and (a.absence ->> 'toMs')::float8 > ${now.getTime() - LACK_REPORTED_MS}::float8
  `
}

function shownHandout(query: Query) {
  return query`
    select json_build_object('handoutId', h.id, 'fileName', h.file_name) as shown
      from (select v.event_type, v.payload ->> 'handout_id' as handout_id
              from room_events v
             where v.room_id = b.id and v.event_type in ('handout.show', 'handout.hide')
             order by v.seq desc
             limit 1) last
      join handouts h on h.id::text = last.handout_id and h.room_id = b.id
     where last.event_type = 'handout.show'
  `
}

/**
 * The unanswered calls for help: later than the last answer from the board, the last entry of an operator and the last
 * message from one.
 */
function openHelp(query: Query, roomId: ReturnType<Db>) {
  return query`
    select h.seq, h.payload, h.created_at
      from room_events h
     where h.room_id = ${roomId} and h.event_type = 'help.requested'
       and not exists (select 1 from room_events a
                        where a.room_id = h.room_id and a.event_type = 'help.answered'
                          and a.seq > h.seq)
       and not exists (select 1 from entry_histories e
                        where e.room_id = h.room_id and e.role = 'platform_observer'
                          and e.seq > h.seq)
       and not exists (select 1 from participants p
                         join chat_messages m
                           on m.room_id = p.room_id and m.media_identity = p.id::text
                        where p.room_id = h.room_id and p.role = 'platform_observer'
                          and m.seq > h.seq)
  `
}

export async function countOpenHelp(query: Query, roomId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::integer as count from (${openHelp(query, query`${roomId}`)}) h
  `
  return row?.count ?? 0
}
