import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { type Query, type Tx, toSafeInteger } from '../db/db.ts'
import type { PageRequest } from '../http/paging.ts'
import type { ChatMessage } from './message.ts'

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

function selectMessages(query: Query) {
  return query`
    select id, seq, visibility, participant_id as "participantId", sender_name as "senderName",
           content_type as "contentType", text, attachment_key as "attachmentKey",
           attachment_name as "attachmentName", attachment_mime as "attachmentMime",
           attachment_size as "attachmentSize", created_at as "createdAt"
      from chat_messages
  `
}

export interface MessageList extends PageRequest {
  roomId: string
  visibility: Visibility | undefined
}

/** In order of creation; one more than the limit, to see whether there is more. */
export async function listMessages(
  query: Query,
  { roomId, visibility, after, limit }: MessageList,
): Promise<ChatMessage[]> {
  const rows = await query<MessageRow[]>`
    ${selectMessages(query)}
     where room_id = ${roomId}
       and seq > ${after ?? '0'}::bigint
       ${visibility === undefined ? query`` : query`and visibility = ${visibility}`}
     order by seq
     limit ${limit + 1}
  `
  return rows.map((row) => toMessage(row))
}

/** Those of the ids that are there, in order of creation. */
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

/** What a purge took away. */
export interface Purged {
  count: number
  /** Objects that belong to nobody any more. */
  attachmentKeys: string[]
}

/** Leaves a tombstone for every message, so that its sender's repeat does not bring it back. */
export async function deleteMessages(
  tx: Tx,
  { roomId, visibility }: { roomId: string; visibility: Visibility | undefined },
): Promise<Purged> {
  const [purged] = await tx<Purged[]>`
    with deleted as (
      delete from chat_messages
       where room_id = ${roomId}
         ${visibility === undefined ? tx`` : tx`and visibility = ${visibility}`}
      returning room_id, id, attachment_key
    ), marked as (
      insert into chat_tombstones (room_id, id) select room_id, id from deleted
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

/** Answers how many there were; at most `limit`. */
export async function deleteOldTombstones(
  query: Query,
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from chat_tombstones
     where ctid = any(array(
             select ctid from chat_tombstones
              where purged_at < clock_timestamp() - make_interval(days => ${keptDays})
              limit ${limit}))
  `
  return count
}
