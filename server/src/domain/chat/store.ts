import type { ChatContentType, Role, Visibility } from '@interview-room/contract/vocabulary.ts'
import { type Fragment, type Query, type Tx, toSafeInteger } from '../../platform/db/db.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import { hintAt, publishingLiveEvent } from '../room-log/publish-live-event.ts'
import { advancingClock } from '../room-log/room-clock.ts'
import type { ChatMessage, SentMessage } from './message.ts'

type MessageRow = Omit<ChatMessage, 'attachment'> & {
  attachmentKey: string | null
  attachmentName: string
  attachmentMime: string
  attachmentSize: bigint
}

function toMessage(row: MessageRow): ChatMessage {
  const { attachmentKey, attachmentName, attachmentMime, attachmentSize, ...message } = row
  if (attachmentKey === null) return { ...message, attachment: null }
  const attachment = {
    key: attachmentKey,
    name: attachmentName,
    mime: attachmentMime,
    sizeBytes: toSafeInteger(attachmentSize),
  }
  return { ...message, attachment }
}

function selectMessages(query: Query, more = query``) {
  return query`
    select id, seq, visibility, participant_id as "participantId", sender_name as "senderName",
           content_type as "contentType", text, attachment_key as "attachmentKey",
           attachment_name as "attachmentName", attachment_mime as "attachmentMime",
           attachment_size as "attachmentSize", created_at as "createdAt" ${more}
      from chat_messages
  `
}

export interface MessageList extends PageRequest {
  roomId: string
  visibility: Visibility | undefined
  /** Only messages of these participants, by participant id. */
  participantIds?: readonly string[]
}

/** In order of creation. Reads one more than the limit to see whether there are more. */
export async function listMessages(
  query: Query,
  { roomId, visibility, participantIds, after, limit }: MessageList,
): Promise<ChatMessage[]> {
  const rows = await query<MessageRow[]>`
    ${selectMessages(query)}
     where room_id = ${roomId}
       and seq > ${after ?? '0'}::bigint
       ${visibility === undefined ? query`` : query`and visibility = ${visibility}`}
       ${participantIds === undefined ? query`` : query`and participant_id = any(${[...participantIds]}::uuid[])`}
     order by seq
     limit ${limit + 1}
  `
  return rows.map((row) => toMessage(row))
}

/** The withheld part of the public chat: all of it, or the messages of these media identities. */
export type Withheld = 'everything' | readonly string[]

function isWithheld(query: Query, withheld: Withheld) {
  return withheld === 'everything'
    ? query`visibility = 'public'`
    : query`(visibility = 'public' and coalesce(media_identity = any(${[...withheld]}), false))`
}

/** Returns the withheld ids among these. */
export async function listWithheldIds(
  query: Query,
  { roomId, ids, withheld }: { roomId: string; ids: readonly string[]; withheld: Withheld },
): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select id
      from chat_messages
     where room_id = ${roomId} and id = any(${[...ids]}) and ${isWithheld(query, withheld)}
  `
  return rows.map(({ id }) => id)
}

interface History extends PageRequest {
  roomId: string
  visibilities: readonly Visibility[]
  withheld: Withheld | undefined
}

/** Newest first. Reads one more than the limit to see whether there are more. */
export async function listNewest(
  query: Query,
  { roomId, visibilities, withheld, after, limit }: History,
): Promise<ChatMessage[]> {
  const rows = await query<MessageRow[]>`
    ${selectMessages(query)}
     where room_id = ${roomId}
       and visibility = any(${[...visibilities]})
       ${withheld === undefined ? query`` : query`and not ${isWithheld(query, withheld)}`}
       ${after === undefined ? query`` : query`and seq < ${after}::bigint`}
     order by seq desc
     limit ${limit + 1}
  `
  return rows.map((row) => toMessage(row))
}

/** The existing messages among these ids, in order of creation. */
export async function findMessages(
  query: Query,
  { roomId, ids }: { roomId: string; ids: readonly string[] },
): Promise<ChatMessage[]> {
  const rows = await query<MessageRow[]>`
    ${selectMessages(query)}
     where room_id = ${roomId} and id = any(${[...ids]})
     order by seq
  `
  return rows.map((row) => toMessage(row))
}

export async function findSent(
  query: Query,
  { roomId, id }: { roomId: string; id: string },
): Promise<SentMessage | undefined> {
  const [row] = await query<(MessageRow & Pick<SentMessage, 'mediaIdentity' | 'attachmentId'>)[]>`
    ${selectMessages(query, query`, media_identity as "mediaIdentity", attachment_id as "attachmentId"`)}
     where room_id = ${roomId} and id = ${id}
  `
  if (row === undefined) return undefined
  const { mediaIdentity, attachmentId, ...rest } = row
  return { ...toMessage(rest), mediaIdentity, attachmentId }
}

type NewMessage = Omit<ChatMessage, 'seq' | 'createdAt'>
type Place = Pick<ChatMessage, 'seq' | 'createdAt'>

interface MessageSource {
  tenantId: string
  roomId: string
  mediaIdentity: string | null
  attachmentId: string | null
  receivers: readonly Role[]
}

/**
 * Writes a message at the next moment of its room and publishes it to its receivers. Returns undefined and publishes
 * nothing when the id is taken.
 */
export async function insertMessage(
  tx: Tx,
  message: NewMessage,
  by: MessageSource,
): Promise<Place | undefined> {
  const [row] = await tx<Place[]>`with ${insertingMessage(tx, message, { ...by, where: tx`true` })}`
  return hinted(tx, by, row)
}

/**
 * The same, in one statement with the checks. Also returns undefined if `admitted` has no row, the id belongs to a purged
 * message, or the sender has to wait.
 */
export async function insertAdmittedMessage(
  tx: Tx,
  message: NewMessage,
  by: MessageSource & { mediaIdentity: string; admitted: Fragment; limit: RateLimit },
): Promise<Place | undefined> {
  const { roomId, limit } = by
  const where = tx`
    exists (select from admitted)
    and not exists (${selectTombstone(tx, { roomId, id: message.id })})
    and not exists (${selectWait(tx, by, limit)})
  `
  const inserting = insertingMessage(tx, message, { ...by, where })
  const [row] = await tx<Place[]>`with admitted as (${by.admitted}), ${inserting}`
  return hinted(tx, by, row)
}

function hinted(tx: Tx, { roomId }: MessageSource, place: Place | undefined): Place | undefined {
  if (place !== undefined) hintAt(tx, roomId)
  return place
}

/** The statement after `with`. The clock of the room advances only if `where` is true. */
function insertingMessage(
  tx: Tx,
  message: NewMessage,
  by: MessageSource & { where: Fragment },
): Fragment {
  const { roomId } = by
  const { attachment } = message
  const published = { name: 'message', roles: by.receivers, messageId: message.id } as const
  return tx`
         moment as (${advancingClock(tx, roomId, { steps: 2, where: by.where })}),
         sent as (
           insert into chat_messages (room_id, id, tenant_id, seq, visibility, participant_id,
                                      media_identity, sender_name, content_type, text,
                                      attachment_id, attachment_key, attachment_name,
                                      attachment_mime, attachment_size, created_at)
           select ${roomId}::uuid, ${message.id}::uuid, ${by.tenantId}::uuid, moment.seq - 1,
                  ${message.visibility}::text, ${message.participantId}::uuid,
                  ${by.mediaIdentity}, ${message.senderName}::text, ${message.contentType}::text,
                  ${message.text}::text, ${by.attachmentId}::uuid,
                  ${attachment?.key ?? null}::text, ${attachment?.name ?? null}::text,
                  ${attachment?.mime ?? null}::text, ${attachment?.sizeBytes ?? null}::bigint,
                  moment.at - interval '1 millisecond'
             from moment
           on conflict (room_id, id) do nothing
           returning seq, created_at
         ),
         published as (${publishingLiveEvent(tx, roomId, { ...published, from: tx`moment, sent` })})
    select seq, created_at as "createdAt" from sent
  `
}

interface RateLimit {
  perMin: number
  /** Limits all messages if it is left out. */
  contentType?: ChatContentType
}

/** Seconds until this sender may send again. Returns undefined when that is possible now. */
export async function findWaitSec(
  tx: Tx,
  sender: { roomId: string; mediaIdentity: string },
  limit: RateLimit,
): Promise<number | undefined> {
  const [row] = await tx<{ waitSec: number }[]>`${selectWait(tx, sender, limit)}`
  return row?.waitSec
}

function selectWait(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
  { perMin, contentType }: RateLimit,
): Fragment {
  return query`
    select ceil(extract(epoch from created_at + interval '1 minute' - clock_timestamp()))::integer
             as "waitSec"
      from chat_messages
     where room_id = ${roomId}
       and media_identity = ${mediaIdentity}
       and created_at > clock_timestamp() - interval '1 minute'
       ${contentType === undefined ? query`` : query`and content_type = ${contentType}`}
     order by seq desc
    offset ${perMin - 1}
     limit 1
  `
}

export async function findTombstone(
  query: Query,
  key: { roomId: string; id: string },
): Promise<{ mediaIdentity: string | null; purgedAt: Date } | undefined> {
  const [tombstone] = await query<{ mediaIdentity: string | null; purgedAt: Date }[]>`
    ${selectTombstone(query, key)}
  `
  return tombstone
}

function selectTombstone(query: Query, { roomId, id }: { roomId: string; id: string }): Fragment {
  return query`
    select media_identity as "mediaIdentity", purged_at as "purgedAt"
      from chat_tombstones
     where room_id = ${roomId} and id = ${id}
  `
}

/** The result of a purge. */
export interface PurgeResult {
  count: number
  /** Objects that no row names any more. */
  attachmentKeys: string[]
}

/** Leaves a tombstone for every message, so that a repeat by its sender does not bring it back. */
export async function deleteMessages(
  tx: Tx,
  { roomId, visibility }: { roomId: string; visibility: Visibility | undefined },
): Promise<PurgeResult> {
  const [purged] = await tx<PurgeResult[]>`
    with deleted as (
      delete from chat_messages
       where room_id = ${roomId}
         ${visibility === undefined ? tx`` : tx`and visibility = ${visibility}`}
      returning room_id, id, media_identity, attachment_key
    ), marked as (
      insert into chat_tombstones (room_id, id, media_identity)
      select room_id, id, media_identity from deleted
      on conflict do nothing
    )
    select count(*)::integer as count,
           coalesce(array_agg(attachment_key) filter (where attachment_key is not null), '{}')
             as "attachmentKeys"
      from deleted
  `
  if (purged === undefined) throw new Error('an aggregate answered no row')
  return purged
}

/** Deletes at most `limit` tombstones and returns their number. */
export async function deleteOldTombstones(
  query: Query,
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from chat_tombstones
     where ctid = any(array(
             select ctid from chat_tombstones
              where purged_at < statement_timestamp() - make_interval(days => ${keptDays})
              order by purged_at
              limit ${limit}))
  `
  return count
}
