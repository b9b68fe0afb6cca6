import type { LastAnswers } from '@interview-room/contract/consent-rules.ts'
import type { LiveTextAudience, Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../../platform/db/db.ts'
import { isGuest, lastAnswerOf } from '../../people/find-consent.ts'
import { hasLiveEngine } from '../../people/live-text-request.ts'
import { hinting, publishingLiveEvent } from '../../room-log/publish-live-event.ts'
import { advancingClock } from '../../room-log/room-clock.ts'
import { heldRooms } from '../recordings/expiry-store.ts'
import { CAPTION_CHANNEL, type PassingCaption, type StoredText } from './live-text.ts'

/** Takes over the listening of a room: what an earlier listener still brings is dropped. */
export async function takeOver(
  query: Query,
  { roomId, listener }: { roomId: string; listener: string },
): Promise<void> {
  await query`
    insert into live_listeners (room_id, listener)
    select id, ${listener} from rooms where id = ${roomId}
    on conflict (room_id) do update set listener = excluded.listener, since = clock_timestamp()
  `
}

export async function leave(
  query: Query,
  { roomId, listener }: { roomId: string; listener: string },
): Promise<void> {
  await query`delete from live_listeners where room_id = ${roomId} and listener = ${listener}`
}

/** Part of a statement: the audience of a room `r` of a tenant `t`, the narrower of both settings. `off` without an engine. */
function audienceOf(query: Query): Fragment {
  return query`
    case when 'off' in (t.live_text, r.live_text) or not ${hasLiveEngine(query)} then 'off'
         when 'staff' in (t.live_text, r.live_text) then 'staff'
         else 'everyone' end
  `
}

export async function findAudience(
  query: Query,
  roomId: string,
): Promise<LiveTextAudience | undefined> {
  const [row] = await query<{ audience: LiveTextAudience }[]>`
    select ${audienceOf(query)} as audience
      from rooms r
      join tenants t on t.id = r.tenant_id
     where r.id = ${roomId}
  `
  return row?.audience
}

/** The audiences of the tenant's rooms whose pages may be open: not closed, and in their window or the minute of notice after it. */
export async function listAudiences(
  query: Query,
  tenantId: string,
): Promise<{ roomId: string; audience: LiveTextAudience }[]> {
  return query<{ roomId: string; audience: LiveTextAudience }[]>`
    select r.id as "roomId", ${audienceOf(query)} as audience
      from sessions s
      join rooms r on r.id = s.room_id
      join tenants t on t.id = r.tenant_id
     where s.tenant_id = ${tenantId}
       and s.ends_at > clock_timestamp() - interval '31 minutes'
       and s.starts_at < clock_timestamp() + interval '30 minutes'
       and r.closed_at is null
     order by r.id
  `
}

interface ListenedRoom {
  audience: LiveTextAudience
  language: string
  translateTo: string | null
}

export async function findListenedRoom(
  query: Query,
  roomId: string,
): Promise<ListenedRoom | undefined> {
  const [row] = await query<ListenedRoom[]>`
    select ${audienceOf(query)} as audience, r.transcription_language as language,
           t.live_text_translation as "translateTo"
      from rooms r
      join tenants t on t.id = r.tenant_id
     where r.id = ${roomId}
  `
  return row
}

interface EnteredPerson {
  identity: string
  participantId: string | null
  role: Role
  isGuest: boolean
  isInside: boolean
  transcription: LastAnswers['transcription']
}

/** Everybody who was ever inside. */
export async function listEntered(query: Query, roomId: string): Promise<EnteredPerson[]> {
  const whose = { roomId: query`${roomId}::uuid`, identity: query`e.media_identity` }
  return query<EnteredPerson[]>`
    select e.media_identity as identity,
           (array_agg(e.participant_id order by e.seq desc))[1] as "participantId",
           (array_agg(e.role order by e.seq desc))[1] as role,
           bool_or(e.left_at is null) as "isInside", ${isGuest(query, whose)} as "isGuest",
           ${lastAnswerOf(query, whose, 'transcription')} as transcription
      from entry_histories e
     where e.room_id = ${roomId}
     group by e.media_identity
  `
}

export type NewText = Omit<StoredText, 'seq' | 'displayName'> & {
  roomId: string
  listener: string
  roles: readonly Role[]
}

/**
 * Stores a final text and publishes it, once: a repeat changes nothing. Returns false if another listener has taken over, or the
 * text is already there.
 */
export async function insertText(query: Query, text: NewText): Promise<boolean> {
  const { roomId, segment, isTranslation, language } = text
  const isWanted = query`
    exists (select from live_listeners l
             where l.room_id = ${roomId} and l.listener = ${text.listener})
    and not exists (select from live_texts x
                     where x.room_id = ${roomId} and x.segment = ${segment}
                       and x.is_translation = ${isTranslation} and x.language = ${language})
  `
  const published = publishingLiveEvent(query, roomId, {
    name: 'caption',
    roles: text.roles,
    payload: { live_text_id: text.id, identity: text.identity },
    from: query`moment`,
  })
  const rows = await query`
    with moment as (${advancingClock(query, roomId, { where: isWanted })}),
    stored as (
      insert into live_texts (id, room_id, seq, participant_id, media_identity, segment, language,
                              is_translation, text, is_observable, started_at, ended_at)
      select ${text.id}::uuid, ${roomId}::uuid, moment.seq, ${text.participantId}::uuid,
             ${text.identity}::text, ${segment}::text, ${language}::text,
             ${isTranslation}::boolean, ${text.text}::text, ${text.isObservable}::boolean,
             ${text.startedAt}::timestamptz, ${text.endedAt}::timestamptz
        from moment
    ), published as (${published})
    select seq, ${hinting(query, roomId)} from moment
  `
  return rows.length === 1
}

/** Sends texts that are not final to every process that has streams open. */
export async function notifyCaptions(
  query: Query,
  captions: readonly PassingCaption[],
): Promise<void> {
  const payloads = captions.map((caption) => JSON.stringify(caption))
  await query`
    select pg_notify(${CAPTION_CHANNEL}, payload) from unnest(${payloads}::text[]) payload
  `
}

function columns(query: Query): Fragment {
  return query`
    x.id, x.seq, x.participant_id as "participantId", x.media_identity as identity, x.segment,
    x.language, x.is_translation as "isTranslation", x.text, x.is_observable as "isObservable",
    x.started_at as "startedAt", x.ended_at as "endedAt",
    coalesce((select e.name from entry_histories e
               where e.room_id = x.room_id and e.media_identity = x.media_identity
               order by e.seq desc
               limit 1), '') as "displayName"
  `
}

export async function listTextsById(
  query: Query,
  { roomId, ids }: { roomId: string; ids: readonly string[] },
): Promise<StoredText[]> {
  return query<StoredText[]>`
    select ${columns(query)} from live_texts x
     where x.room_id = ${roomId} and x.id = any(${[...ids]}::uuid[])
  `
}

/** Oldest first. */
export async function listTexts(
  query: Query,
  page: { roomId: string; after: bigint; onlyObservable: boolean; limit: number },
): Promise<StoredText[]> {
  return query<StoredText[]>`
    select ${columns(query)} from live_texts x
     where x.room_id = ${page.roomId} and x.seq > ${page.after}
       and (x.is_observable or not ${page.onlyObservable}::boolean)
     order by x.seq
     limit ${page.limit}
  `
}

/** A text as a line of a recording's transcript. */
export interface SaidLine {
  participantId: string | null
  displayName: string | null
  role: Role | null
  text: string
  language: string
  startedAt: Date
  endedAt: Date
}

/** Texts that were said in a room between these times, without translations, in order of time. */
export async function listLinesBetween(
  query: Query,
  { roomId, from, to }: { roomId: string; from: Date; to: Date },
): Promise<SaidLine[]> {
  return query<SaidLine[]>`
    select x.participant_id as "participantId", e.name as "displayName", e.role, x.text, x.language,
           x.started_at as "startedAt", x.ended_at as "endedAt"
      from live_texts x
      left join lateral (select name, role from entry_histories
                          where room_id = x.room_id and media_identity = x.media_identity
                          order by seq desc
                          limit 1) e on true
     where x.room_id = ${roomId} and not x.is_translation
       and x.started_at >= ${from} and x.ended_at <= ${to}
     order by x.started_at, x.seq
  `
}

/** Oldest first. */
export async function listTextsOf(
  query: Query,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<StoredText[]> {
  return query<StoredText[]>`
    select ${columns(query)} from live_texts x
     where x.room_id = ${roomId} and x.media_identity = any(${[...identities]})
     order by x.seq
  `
}

/** Texts of rooms under a legal hold stay. */
export async function deleteOldTexts(
  query: Query,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from live_texts
     where ctid = any(array(
             select ctid from live_texts
              where created_at < ${before} and room_id not in ${heldRooms(query)}
              order by created_at
              limit ${limit}))
  `
  return count
}
